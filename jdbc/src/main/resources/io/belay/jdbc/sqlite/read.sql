SELECT c.clock, l.name, l.version, l.state
FROM (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 AS clock) c
LEFT JOIN {table} l ON l.name IN (/*each ,*/?/*end*/)
