-- As replace.sql, for one of several rows: without those that somebody keeps locked, for which the others are not to wait.
-- The limit keeps what is locked from being merged into the rest. MariaDB 10.5 cannot skip.
-- The types as in insert.sql.
UPDATE (
  /*!80001 SELECT version, state, forget FROM {table} WHERE FALSE UNION ALL */
  SELECT ? AS version, CAST(? AS BINARY) AS state, ? AS forget
) c
STRAIGHT_JOIN (
  SELECT name FROM {table} WHERE name = ? AND version = ?
  LIMIT 1 /*!80001 FOR UPDATE SKIP LOCKED */ /*M!100600 FOR UPDATE SKIP LOCKED */
) k
STRAIGHT_JOIN {table} l ON l.name = k.name
SET l.version = c.version, l.state = c.state, l.forget = c.forget
WHERE TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) + ABS(TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6))) <= ?
