INSERT INTO {fence} (name, token) VALUES (?, ?) ON CONFLICT (name) DO NOTHING
