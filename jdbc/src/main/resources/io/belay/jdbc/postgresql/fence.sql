CREATE TABLE IF NOT EXISTS {fence} (
  name bytea PRIMARY KEY,
  token bigint NOT NULL
)
