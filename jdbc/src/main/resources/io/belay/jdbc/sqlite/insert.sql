WITH change (name, version, state, forget) AS (VALUES /*each ,*/(?, ?, ?, ?)/*end*/)
INSERT INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget FROM change c
WHERE CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 <= ?
ON CONFLICT (name) DO NOTHING
RETURNING name
