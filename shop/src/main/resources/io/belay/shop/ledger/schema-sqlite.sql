-- The ledger's tables, beside belay_fence, which is Belay's own. Each statement may run on several nodes at once and when the table
-- is there.

-- How many units a sale began with and how many it still has: in one row, whose segment is -1, or
-- in a row for each of the segments 0, 1, 2... that are sold side by side.
CREATE TABLE IF NOT EXISTS belay_stock (
    sku       TEXT NOT NULL,
    segment   INTEGER NOT NULL,
    initial   INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    PRIMARY KEY (sku, segment)
) WITHOUT ROWID;

-- An order for each unit sold. "unit" is its number, which follows from what the seller read as the
-- remaining stock: two orders of one sku with the same unit are one unit sold twice.
CREATE TABLE IF NOT EXISTS belay_orders (
    id      TEXT PRIMARY KEY,
    sku     TEXT NOT NULL,
    unit    INTEGER NOT NULL,
    buyer   TEXT NOT NULL,
    node    TEXT NOT NULL,
    token   INTEGER NOT NULL,
    sold_at INTEGER NOT NULL
);

CREATE INDEX IF NOT EXISTS belay_orders_of_sku ON belay_orders (sku, node, unit, sold_at);

-- What each run of a node has answered besides "sold", so that each node can show all.
CREATE TABLE IF NOT EXISTS belay_counts (
    sku       TEXT NOT NULL,
    run       TEXT NOT NULL,
    node      TEXT NOT NULL,
    refused   INTEGER NOT NULL,
    timed_out INTEGER NOT NULL,
    stale     INTEGER NOT NULL,
    PRIMARY KEY (sku, run)
) WITHOUT ROWID;
