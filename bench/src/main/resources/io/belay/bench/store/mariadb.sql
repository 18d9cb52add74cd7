-- Forgets everything.
DROP DATABASE belay;
CREATE DATABASE belay CHARACTER SET utf8mb4;
USE belay;

-- ShedLock's table, as its documentation has it.
CREATE TABLE shedlock (
  name VARCHAR(64) NOT NULL,
  lock_until TIMESTAMP(3) NOT NULL,
  locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  locked_by VARCHAR(255) NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE textbook_lock (name VARCHAR(255) PRIMARY KEY);
