CREATE TABLE IF NOT EXISTS {table} (
  name bytea PRIMARY KEY,
  version bigint NOT NULL,
  state bytea NOT NULL,
  forget bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS {fence} (
  name bytea PRIMARY KEY,
  token bigint NOT NULL
)
