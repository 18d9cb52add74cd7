-- Forgets everything.
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;

-- ShedLock's table, as its documentation has it.
CREATE TABLE shedlock (
  name VARCHAR(64) NOT NULL,
  lock_until TIMESTAMP NOT NULL,
  locked_at TIMESTAMP NOT NULL,
  locked_by VARCHAR(255) NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE textbook_lock (name VARCHAR(255) PRIMARY KEY);
