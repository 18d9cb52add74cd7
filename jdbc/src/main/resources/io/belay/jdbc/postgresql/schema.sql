CREATE TABLE IF NOT EXISTS {table} (
  name bytea PRIMARY KEY,
  version bigint NOT NULL,
  state bytea NOT NULL,
  forget bigint NOT NULL
) WITH (fillfactor = 50);
-- What is in use is not in it, so that to take a lock writes nothing there.
CREATE INDEX IF NOT EXISTS {index} ON {table} (forget) WHERE forget < 9223372036854775807
