-- To MariaDB's driver it is so from the start, whatever a MySQL has been set to.
SET autocommit = 1;
-- The second is for a lock on the table, which the server waits for by itself for a day or a year. MariaDB takes what
-- forgets old names for a statement that safe updates forbid. The last is for a connection that nobody uses: Belay's are used
-- about once a minute, which some servers' limits are below.
SET SESSION innodb_lock_wait_timeout = {lock_seconds}, SESSION lock_wait_timeout = {lock_seconds},
  SESSION sql_safe_updates = 0, SESSION wait_timeout = 600
