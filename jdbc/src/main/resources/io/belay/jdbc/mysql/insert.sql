INSERT IGNORE INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget
FROM (
  /*each UNION ALL*/SELECT ? AS name, ? AS version, ? AS state, ? AS forget/*end*/
) c
-- UTC_TIMESTAMP is when the statement began, whatever the session's time zone; SYSDATE tells how long that is ago.
WHERE TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) + ABS(TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6))) <= ?
