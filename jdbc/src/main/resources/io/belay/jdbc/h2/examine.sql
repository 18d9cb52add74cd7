SELECT 'NOTE', 'reach',
  'The database is in the memory of one process: its locks are known to that process alone, and end with it.',
  'None needed in tests; use a file or a server where several take turns.'
WHERE DATABASE_PATH() IS NULL
UNION ALL
SELECT 'NOTE', 'rollbacks',
  'H2 in a file may set a row back that another transaction has committed, while one that changed the row too rolls back: a guard is not sure there.',
  'None needed in tests; use PostgreSQL, MySQL or MariaDB where it matters.'
WHERE DATABASE_PATH() IS NOT NULL
