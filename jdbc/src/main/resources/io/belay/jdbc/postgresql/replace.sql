UPDATE {table} SET version = ?, state = ?, forget = ?
-- Locked first, so that the clock is read after the wait for somebody else's transaction, also if that is rolled back.
WHERE name = (SELECT name FROM {table} WHERE name = ? AND version = ? FOR UPDATE)
  AND CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) <= ?
