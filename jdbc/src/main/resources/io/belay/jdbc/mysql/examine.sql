SELECT 'DANGER', 'durability',
  'innodb_flush_log_at_trx_commit is not 1: when the machine fails, the database may forget who holds what.',
  'Set innodb_flush_log_at_trx_commit = 1.'
FROM DUAL WHERE @@innodb_flush_log_at_trx_commit <> 1
UNION ALL
SELECT 'WARNING', 'read-only',
  'The server is read-only: no lock can be taken there.',
  'Give Belay the server that may be written to.'
FROM DUAL WHERE @@read_only <> 0
