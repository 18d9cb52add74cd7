SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
-- The clock is the server's by wall, and in UTC no hour comes twice.
SET SESSION time_zone = '+00:00';
SET SESSION innodb_lock_wait_timeout = 5
