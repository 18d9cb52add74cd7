SELECT 'DANGER', 'durability',
  'innodb_flush_log_at_trx_commit is not 1: when the machine fails, the database may forget who holds what.',
  'Set innodb_flush_log_at_trx_commit = 1.'
FROM DUAL WHERE @@innodb_flush_log_at_trx_commit <> 1
