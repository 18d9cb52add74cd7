SELECT wait_event, CASE WHEN wait_event IS DISTINCT FROM 'SyncRep' THEN pg_terminate_backend(pid) END
FROM pg_stat_activity
WHERE pid = ? AND CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS bigint) = ?
