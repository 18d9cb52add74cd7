INSERT INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget
FROM (VALUES /*each ,*/(?::bytea, ?::bigint, ?::bytea, ?::bigint)/*end*/) c (name, version, state, forget)
WHERE CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) <= ?
ORDER BY c.name
ON CONFLICT (name) DO NOTHING
RETURNING name
