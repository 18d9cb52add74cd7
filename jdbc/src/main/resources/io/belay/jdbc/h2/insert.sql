SELECT name FROM FINAL TABLE (
INSERT INTO {table} (name, version, state, forget)
SELECT c.name, c.version, c.state, c.forget
FROM (
  VALUES /*each ,*/(CAST(? AS VARBINARY), CAST(? AS BIGINT), CAST(? AS VARBINARY), CAST(? AS BIGINT))/*end*/
) c (name, version, state, forget)
WHERE DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP(6)) <= ?
  AND NOT EXISTS (SELECT 1 FROM {table} l WHERE l.name = c.name)
)
