-- The names are read first, as whoever changes a row locks it by its name before its place in the index.
DELETE l FROM {table} l JOIN (
  SELECT name FROM {table} WHERE forget <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) ORDER BY forget LIMIT ?
) d ON l.name = d.name
WHERE l.forget <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
