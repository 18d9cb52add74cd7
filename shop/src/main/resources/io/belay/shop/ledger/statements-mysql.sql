-- What MySQL and MariaDB say in other words than statements.sql.

-- name: stock.create
INSERT IGNORE INTO belay_stock (sku, segment, initial, remaining) VALUES (?, ?, ?, ?);

-- name: counts.write
INSERT INTO belay_counts (sku, run, node, refused, timed_out, stale) VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE
refused = VALUES(refused), timed_out = VALUES(timed_out), stale = VALUES(stale);
