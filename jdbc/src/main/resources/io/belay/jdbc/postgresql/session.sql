-- The second, of PostgreSQL 17 and later, would end the connection in place of the statement that waits for a lock.
SELECT set_config(name, CASE name WHEN 'lock_timeout' THEN '{lock_millis}' ELSE '0' END, false)
  FROM pg_settings WHERE name IN ('lock_timeout', 'transaction_timeout');
-- PostgreSQL 14 and later: a process that works for nobody any more ends.
SELECT set_config(name, '1s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'
