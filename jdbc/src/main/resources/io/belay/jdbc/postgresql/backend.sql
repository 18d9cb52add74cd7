SELECT pid, CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS bigint) FROM pg_stat_activity WHERE pid = pg_backend_pid()
