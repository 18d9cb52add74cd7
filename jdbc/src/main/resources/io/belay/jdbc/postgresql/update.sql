WITH change (name, before, version, state, forget) AS (
  VALUES /*each ,*/(?::bytea, ?::bigint, ?::bigint, ?::bytea, ?::bigint)/*end*/
), locked AS MATERIALIZED (
  -- In one order for all, so that two batches do not wait for each other.
  SELECT l.name FROM {table} l JOIN change c ON l.name = c.name AND l.version = c.before ORDER BY l.name FOR UPDATE OF l
)
UPDATE {table} l SET version = c.version, state = c.state, forget = c.forget
FROM change c JOIN locked k ON k.name = c.name
WHERE l.name = c.name AND l.version = c.before
  AND CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) <= ?
RETURNING l.name
