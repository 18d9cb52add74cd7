-- Without HOLDLOCK, which would lock the gaps in which others make their rows.
MERGE INTO {fence} AS f USING (SELECT ? AS name, ? AS token) AS c ON f.name = c.name
WHEN MATCHED AND f.token <= c.token THEN UPDATE SET token = c.token
WHEN NOT MATCHED THEN INSERT (name, token) VALUES (c.name, c.token);
