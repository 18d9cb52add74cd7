-- The second, of PostgreSQL 17 and later, would end the connection in place of the statement that waits for a lock. The third, of 14
-- and later, ends one that nobody uses: Belay's are used about once a minute, which some servers' limits are below.
SELECT set_config(name, CASE name WHEN 'lock_timeout' THEN '{lock_millis}' WHEN 'idle_session_timeout' THEN '600s' ELSE '0' END, false)
  FROM pg_settings WHERE name IN ('lock_timeout', 'transaction_timeout', 'idle_session_timeout');
-- PostgreSQL 14 and later: a process that works for nobody any more ends.
SELECT set_config(name, '1s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'
