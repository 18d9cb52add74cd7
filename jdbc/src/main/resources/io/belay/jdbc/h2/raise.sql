MERGE INTO {fence} f USING (VALUES (CAST(? AS VARBINARY), CAST(? AS BIGINT))) c (name, token) ON f.name = c.name
WHEN MATCHED AND f.token <= c.token THEN UPDATE SET token = c.token
WHEN NOT MATCHED THEN INSERT (name, token) VALUES (c.name, c.token)
