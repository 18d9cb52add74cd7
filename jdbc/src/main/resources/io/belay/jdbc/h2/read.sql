SELECT c.clock, l.name, l.version, l.state
FROM (SELECT DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP(6)) AS clock) c
LEFT JOIN {table} l ON l.name IN (/*each ,*/?/*end*/)
