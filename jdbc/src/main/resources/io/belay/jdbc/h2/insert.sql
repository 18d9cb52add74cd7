SELECT name FROM FINAL TABLE (
INSERT INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget
FROM (
  VALUES /*each ,*/(CAST(? AS VARBINARY), CAST(? AS BIGINT), CAST(? AS VARBINARY), CAST(? AS BIGINT))/*end*/
) c (name, version, state, forget)
WHERE CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT) <= ?
  AND NOT EXISTS (SELECT 1 FROM {table} l WHERE l.name = c.name)
)
