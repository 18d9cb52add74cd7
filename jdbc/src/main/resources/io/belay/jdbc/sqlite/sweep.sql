DELETE FROM {table} WHERE name IN (
  SELECT name FROM {table} WHERE forget <= CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 LIMIT ?
)
