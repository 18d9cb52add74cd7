SELECT 'DANGER', 'durability',
  'innodb_flush_log_at_trx_commit is not 1: when the machine fails, the database may forget who holds what.',
  'Set innodb_flush_log_at_trx_commit = 1.'
FROM DUAL WHERE @@innodb_flush_log_at_trx_commit NOT IN (1, 3)
UNION ALL
-- With a binary log InnoDB leaves it to that to bring commits to the disk, unless MariaDB is told 3.
SELECT 'DANGER', 'durability',
  'sync_binlog is not 1: when the machine fails, the database undoes what its binary log lost, and may forget who holds what.',
  'Set sync_binlog = 1.'
FROM DUAL WHERE @@log_bin = 1 AND @@sync_binlog <> 1 AND @@innodb_flush_log_at_trx_commit <> 3
UNION ALL
SELECT 'WARNING', 'read-only',
  'The server is read-only: no lock can be taken there.',
  'Give Belay the server that may be written to; if it is this one, SET GLOBAL read_only = 0.'
FROM DUAL WHERE @@read_only NOT IN ('0', 'OFF')
UNION ALL
SELECT 'DANGER', 'table',
  CONCAT('The table {table} is kept by ', ENGINE, ', which knows no transactions: two clients may have one lock.'),
  'Run ALTER TABLE {table} ENGINE = InnoDB.'
FROM information_schema.TABLES
WHERE TABLE_SCHEMA = COALESCE(NULLIF(TRIM(TRAILING '.' FROM '{schema}'), ''), DATABASE()) AND TABLE_NAME = '{bare}' AND ENGINE <> 'InnoDB'
UNION ALL
SELECT 'DANGER', 'table',
  'The table {table} has no primary key, so two clients may each make a row for one lock.',
  'Run ALTER TABLE {table} ADD PRIMARY KEY (name).'
FROM information_schema.TABLES t
WHERE TABLE_SCHEMA = COALESCE(NULLIF(TRIM(TRAILING '.' FROM '{schema}'), ''), DATABASE()) AND TABLE_NAME = '{bare}'
  -- And not TABLE_CONSTRAINTS, which MariaDB shows to nobody who has only rights on the table.
  AND NOT EXISTS (SELECT 1 FROM information_schema.STATISTICS s
    WHERE s.TABLE_SCHEMA = t.TABLE_SCHEMA AND s.TABLE_NAME = t.TABLE_NAME AND s.INDEX_NAME = 'PRIMARY')
