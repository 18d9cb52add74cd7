UPDATE {table} l JOIN (
  /*each UNION ALL*/SELECT ? AS name, ? AS before_version, ? AS version, ? AS state, ? AS forget/*end*/
) c ON l.name = c.name AND l.version = c.before_version
SET l.version = c.version, l.state = c.state, l.forget = c.forget
WHERE CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) <= ?
