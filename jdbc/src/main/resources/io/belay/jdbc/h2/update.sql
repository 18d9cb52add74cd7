SELECT name FROM FINAL TABLE (
MERGE INTO {table} l USING (
  VALUES /*each ,*/(CAST(? AS VARBINARY), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS VARBINARY), CAST(? AS BIGINT))/*end*/
) c (name, before_version, version, state, forget)
ON l.name = c.name AND l.version = c.before_version
WHEN MATCHED AND CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT) <= ?
THEN UPDATE SET version = c.version, state = c.state, forget = c.forget
)
