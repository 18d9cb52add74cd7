PRAGMA busy_timeout = 5000;
PRAGMA journal_mode = WAL
