SELECT name FROM FINAL TABLE (
MERGE INTO {table} l USING (
  VALUES /*each ,*/(CAST(? AS VARBINARY), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS VARBINARY), CAST(? AS BIGINT))/*end*/
) c (name, before_version, version, state, forget)
ON l.name = c.name AND l.version = c.before_version
WHEN MATCHED AND DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP(6)) <= ?
THEN UPDATE SET version = c.version, state = c.state, forget = c.forget
)
