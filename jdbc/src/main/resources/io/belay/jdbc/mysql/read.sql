SELECT c.clock, l.name, l.version, l.state
FROM (SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) AS clock) c
LEFT JOIN {table} l ON l.name IN (/*each ,*/?/*end*/)
