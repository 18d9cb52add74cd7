INSERT IGNORE INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget
FROM (
  /*each UNION ALL*/SELECT ? AS name, ? AS version, ? AS state, ? AS forget/*end*/
) c
WHERE CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) <= ?
