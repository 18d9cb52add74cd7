-- Those that may take over: no logical subscriber, and no copy that is being made.
WITH replica AS (
  SELECT * FROM pg_stat_replication r
  WHERE state IS DISTINCT FROM 'backup' AND application_name IS DISTINCT FROM 'pg_basebackup'
    AND NOT EXISTS (SELECT 1 FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical'))
SELECT 'WARNING', 'replicas',
  'The replica ' || COALESCE(NULLIF(application_name, ''), host(client_addr), 'on this host') || ' is '
    || CASE WHEN state <> 'streaming' THEN 'not in step yet (' || state || ')'
         WHEN bytes > 16777216 THEN bytes / 1048576 || ' MB behind'
         ELSE 'behind by ' || CAST(EXTRACT(EPOCH FROM flush_lag) AS integer) || ' s' END
    || ', so it would know nothing of the last grants if it took over.',
  'See what keeps it, or the network to it, busy.'
FROM (
  SELECT *, CAST(pg_wal_lsn_diff(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END, flush_lsn) AS bigint) AS bytes
  FROM replica) r
WHERE state <> 'streaming' OR bytes > 16777216 OR flush_lag >= interval '1 second'
UNION ALL
SELECT 'NOTE', 'not seen',
  'How far replicas are behind has not been looked at: the user ' || current_user || ' may not see that.',
  'Run GRANT pg_read_all_stats TO ' || quote_ident(current_user) || ' to let it, or look yourself.'
WHERE EXISTS (SELECT 1 FROM replica WHERE state IS NULL)
