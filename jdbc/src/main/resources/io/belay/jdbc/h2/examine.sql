SELECT 'NOTE', 'reach',
  'The database is in the memory of one process: its locks are known to that process alone, and end with it.',
  'None needed in tests; use a file or a server where several take turns.'
WHERE DATABASE_PATH() IS NULL
