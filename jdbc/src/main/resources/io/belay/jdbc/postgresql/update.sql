WITH change (name, before, version, state, forget) AS (
  VALUES /*each ,*/(?::bytea, ?::bigint, ?::bigint, ?::bytea, ?::bigint)/*end*/
), locked AS MATERIALIZED (
  -- Without those that somebody keeps locked, for which the others are not to wait: each is tried again, at last by itself.
  SELECT l.name FROM {table} l JOIN change c ON l.name = c.name AND l.version = c.before FOR UPDATE OF l SKIP LOCKED
)
UPDATE {table} l SET version = c.version, state = c.state, forget = c.forget
FROM change c JOIN locked k ON k.name = c.name
WHERE l.name = c.name AND l.version = c.before
  AND CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) <= ?
RETURNING l.name
