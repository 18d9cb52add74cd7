-- The ledger's tables; see schema-sqlite.sql for what they mean.

CREATE TABLE IF NOT EXISTS belay_stock (
    sku       VARCHAR(64) NOT NULL,
    segment   INTEGER NOT NULL,
    initial   INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    PRIMARY KEY (sku, segment)
);

CREATE TABLE IF NOT EXISTS belay_orders (
    id      VARCHAR(36) PRIMARY KEY,
    sku     VARCHAR(64) NOT NULL,
    unit    INTEGER NOT NULL,
    buyer   VARCHAR(64) NOT NULL,
    node    VARCHAR(64) NOT NULL,
    token   BIGINT NOT NULL,
    sold_at BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS belay_orders_of_sku ON belay_orders (sku, node, unit, sold_at);

CREATE TABLE IF NOT EXISTS belay_counts (
    sku       VARCHAR(64) NOT NULL,
    run       VARCHAR(36) NOT NULL,
    node      VARCHAR(64) NOT NULL,
    refused   BIGINT NOT NULL,
    timed_out BIGINT NOT NULL,
    stale     BIGINT NOT NULL,
    PRIMARY KEY (sku, run)
);
