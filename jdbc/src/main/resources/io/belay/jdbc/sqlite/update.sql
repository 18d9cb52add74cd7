WITH change (name, before_version, version, state, forget) AS (VALUES /*each ,*/(?, ?, ?, ?, ?)/*end*/)
UPDATE {table} AS l SET version = c.version, state = c.state, forget = c.forget
FROM change c
WHERE l.name = c.name AND l.version = c.before_version AND CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 <= ?
RETURNING name
