-- The epoch is the same in all time zones, of which each client has its own; DATEDIFF would count what its clock shows.
SELECT c.clock, l.name, l.version, l.state
FROM (SELECT CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT) AS clock) c
LEFT JOIN {table} l ON l.name IN (/*each ,*/?/*end*/)
