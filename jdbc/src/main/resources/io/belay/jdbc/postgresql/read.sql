SELECT c.clock, l.name, l.version, l.state
FROM (SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) AS clock) c
LEFT JOIN {table} l ON l.name IN (/*each ,*/?/*end*/)
