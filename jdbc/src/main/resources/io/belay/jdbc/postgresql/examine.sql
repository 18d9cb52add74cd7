SELECT 'DANGER', 'durability',
  'fsync is off: when the machine fails, the database may forget who holds what.',
  'Set fsync = on.'
WHERE current_setting('fsync') = 'off'
UNION ALL
SELECT 'DANGER', 'durability',
  'synchronous_commit is off: when the server is killed, it forgets the last grants.',
  'Set synchronous_commit = on, for the whole server or for Belay''s user.'
WHERE current_setting('synchronous_commit') = 'off'
UNION ALL
SELECT 'WARNING', 'replicas',
  'Commits do not wait for a replica, so a fail-over may forget the last grants: a lock may then have two holders.',
  CASE WHEN current_setting('synchronous_standby_names') = ''
    THEN 'Name a replica in synchronous_standby_names, or guard what matters by tokens.'
    ELSE 'Set synchronous_commit = on, for the whole server or for Belay''s user, or guard what matters by tokens.' END
WHERE (current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') = 'local')
  -- Those that may take over: no logical subscriber, and no copy that is being made.
  AND EXISTS (SELECT 1 FROM pg_stat_replication r
    WHERE state IS DISTINCT FROM 'backup' AND application_name IS DISTINCT FROM 'pg_basebackup'
      AND NOT EXISTS (SELECT 1 FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical'))
UNION ALL
SELECT 'WARNING', 'encryption',
  'The connection is not encrypted, so whoever can listen or tamper on the way can see and break locks.',
  'Turn on ssl in the server, and add sslmode=verify-full to the URL.'
FROM pg_stat_ssl
WHERE pid = pg_backend_pid() AND NOT ssl
  AND NOT (inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() <<= '::1/128')
UNION ALL
SELECT 'WARNING', 'read-only',
  'The server is read-only: no lock can be taken there.',
  CASE WHEN pg_is_in_recovery() THEN 'Name all servers in the URL, with targetServerType=primary.'
    ELSE 'It is no replica: turn off default_transaction_read_only, which is set by: ' || source || '.' END
FROM pg_settings
WHERE name = 'default_transaction_read_only' AND (pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on')
UNION ALL
SELECT 'DANGER', 'durability',
  'The table {table} is unlogged: after a crash it is empty, and locks that are held are free.',
  'Run ALTER TABLE {table} SET LOGGED.'
FROM pg_class WHERE oid = to_regclass('{table}') AND relpersistence = 'u'
UNION ALL
SELECT 'DANGER', 'table',
  'The table {table} has no primary key, so two clients may each make a row for one lock.',
  'Run ALTER TABLE {table} ADD PRIMARY KEY (name).'
WHERE to_regclass('{table}') IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = to_regclass('{table}') AND indisprimary)
UNION ALL
SELECT 'DANGER', 'replicas',
  'Commits wait for the replicas of synchronous_standby_names, and none of them is connected: no lock can be taken.',
  'Bring a replica back, or run ALTER SYSTEM RESET synchronous_standby_names.'
WHERE current_setting('synchronous_standby_names') <> ''
  AND current_setting('synchronous_commit') NOT IN ('off', 'local')
  -- To a user who may not see it the state is null.
  AND NOT EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state IS DISTINCT FROM 'async')
UNION ALL
SELECT 'WARNING', 'table',
  'There are ' || count(*) || ' tables ' || c.relname || ', as in the schemas ' || quote_ident(min(n.nspname)) || ' and '
    || quote_ident(max(n.nspname)) || ': which one a session finds is up to its search_path, and what is in one of them is not known in the others.',
  'Name the schema: of locks by belay-table, of the guard by SqlFence.inTable.'
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE (('{schema}' = '' AND c.relname = lower('{bare}')) OR c.relname = lower('{fence}'))
  AND c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'INSERT')
GROUP BY c.relname
HAVING count(*) > 1
