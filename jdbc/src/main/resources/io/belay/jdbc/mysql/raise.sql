-- One statement that finds or makes the row: an UPDATE that finds none would lock the gap in which others make theirs.
INSERT INTO {fence} (name, token) VALUES (?, ?) ON DUPLICATE KEY UPDATE token = GREATEST(token, ?)
