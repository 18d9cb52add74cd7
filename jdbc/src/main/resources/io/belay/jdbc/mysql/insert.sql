-- The cast says what a server that prepares the statement is not told: there MySQL's driver sends bytes as text, and the server
-- would cut them off at the first that is none. MySQL would still cut off what is longer than 65,535 bytes: to it the columns of
-- the table tell the types, of whose rows none is read.
INSERT IGNORE INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget
FROM (
  /*!80001 SELECT name, version, state, forget FROM {table} WHERE FALSE UNION ALL */
  /*each UNION ALL*/SELECT ? AS name, ? AS version, CAST(? AS BINARY) AS state, ? AS forget/*end*/
) c
-- UTC_TIMESTAMP is when the statement began, whatever the session's time zone; SYSDATE tells how long that is ago.
WHERE TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) + ABS(TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6))) <= ?
