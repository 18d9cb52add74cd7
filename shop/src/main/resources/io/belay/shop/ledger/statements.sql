-- The ledger's statements by name, in the SQL that all databases share.

-- name: stock.create
INSERT INTO belay_stock (sku, segment, initial, remaining) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: stock.read
-- Of all segments together. That of an undivided stock is -1, so that it counts as none.
SELECT COUNT(*) AS lots, SUM(initial) AS initial, SUM(remaining) AS remaining, MAX(segment) + 1 AS segments
FROM belay_stock WHERE sku = ?;

-- name: stock.remaining
SELECT remaining FROM belay_stock WHERE sku = ? AND segment = ?;

-- name: stock.write
UPDATE belay_stock SET remaining = ? WHERE sku = ? AND segment = ?;

-- name: order.insert
INSERT INTO belay_orders (id, sku, unit, buyer, node, token, sold_at) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: orders.perNode
SELECT node, COUNT(*) AS orders FROM belay_orders WHERE sku = ? GROUP BY node;

-- name: orders.units
SELECT COUNT(DISTINCT unit) AS units FROM belay_orders WHERE sku = ?;

-- name: orders.firstByOthers
SELECT MIN(sold_at) AS first_sale FROM belay_orders WHERE sku = ? AND node <> ? AND sold_at >= ?;

-- name: counts.write
INSERT INTO belay_counts (sku, run, node, refused, timed_out, stale) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (sku, run) DO UPDATE
SET refused = excluded.refused, timed_out = excluded.timed_out, stale = excluded.stale;

-- name: counts.ofOtherRuns
SELECT node, SUM(refused) AS refused, SUM(timed_out) AS timed_out, SUM(stale) AS stale
FROM belay_counts WHERE sku = ? AND run <> ? GROUP BY node;
