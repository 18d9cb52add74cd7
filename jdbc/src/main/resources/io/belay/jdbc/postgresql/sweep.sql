-- By now(), which is the same in all of a statement, and with the index's own condition, or it could not be used.
DELETE FROM {table} WHERE name = ANY (ARRAY(
  SELECT name FROM {table}
  WHERE forget < 9223372036854775807 AND forget <= CAST(EXTRACT(EPOCH FROM now()) * 1000000 AS bigint)
  ORDER BY forget LIMIT ? FOR UPDATE SKIP LOCKED
))
