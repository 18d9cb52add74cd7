UPDATE {table} SET version = ?, state = ?, forget = ?
WHERE name = ? AND version = ?
-- UTC_TIMESTAMP is when the statement began, whatever the session's time zone; SYSDATE tells how long that is ago.
  AND TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) + ABS(TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6))) <= ?
