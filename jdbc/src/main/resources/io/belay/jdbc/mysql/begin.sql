INSERT IGNORE INTO {fence} (name, token) VALUES (?, ?)
