SELECT set_config('lock_timeout', '{lock_millis}', false);
-- PostgreSQL 14 and later: a process that works for nobody any more ends.
SELECT set_config(name, '1s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'
