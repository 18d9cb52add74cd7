DELETE FROM {table} WHERE name IN (
  SELECT name FROM {table}
  WHERE forget <= CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)
  LIMIT 1000 FOR UPDATE SKIP LOCKED
)
