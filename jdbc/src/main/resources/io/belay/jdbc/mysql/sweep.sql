-- The names are read first, as whoever changes a row locks it by its name before its place in the index.
DELETE l FROM {table} l JOIN (
  SELECT name FROM {table} WHERE forget <= CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED) ORDER BY forget LIMIT ?
) d ON l.name = d.name
WHERE l.forget <= CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)
