INSERT INTO {fence} (name, token)
SELECT c.name, c.token FROM (VALUES (CAST(? AS VARBINARY), CAST(? AS BIGINT))) c (name, token)
WHERE NOT EXISTS (SELECT 1 FROM {fence} f WHERE f.name = c.name)
