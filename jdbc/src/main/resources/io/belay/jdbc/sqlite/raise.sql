INSERT INTO {fence} AS f (name, token) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET token = excluded.token WHERE f.token <= excluded.token
