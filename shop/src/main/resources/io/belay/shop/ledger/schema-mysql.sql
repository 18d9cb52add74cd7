-- The ledger's tables; see schema-sqlite.sql for what they mean. The collation tells "a" from "A" as
-- the other databases do. MySQL knows no CREATE INDEX IF NOT EXISTS.

CREATE TABLE IF NOT EXISTS belay_stock (
    sku       VARCHAR(64) NOT NULL,
    segment   INTEGER NOT NULL,
    initial   INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    PRIMARY KEY (sku, segment)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS belay_orders (
    id      VARCHAR(36) PRIMARY KEY,
    sku     VARCHAR(64) NOT NULL,
    unit    INTEGER NOT NULL,
    buyer   VARCHAR(64) NOT NULL,
    node    VARCHAR(64) NOT NULL,
    token   BIGINT NOT NULL,
    sold_at BIGINT NOT NULL,
    INDEX belay_orders_of_sku (sku, node, unit, sold_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS belay_counts (
    sku       VARCHAR(64) NOT NULL,
    run       VARCHAR(36) NOT NULL,
    node      VARCHAR(64) NOT NULL,
    refused   BIGINT NOT NULL,
    timed_out BIGINT NOT NULL,
    stale     BIGINT NOT NULL,
    PRIMARY KEY (sku, run)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
