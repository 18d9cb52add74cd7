MERGE INTO {fence} f USING (SELECT ? AS name, ? AS token FROM DUAL) c ON (f.name = c.name)
WHEN MATCHED THEN UPDATE SET f.token = c.token WHERE f.token <= c.token
WHEN NOT MATCHED THEN INSERT (name, token) VALUES (c.name, c.token)
