SELECT c.clock, l.name, l.version, l.state
FROM (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS clock) c
LEFT JOIN {table} l ON l.name IN (/*each ,*/?/*end*/)
