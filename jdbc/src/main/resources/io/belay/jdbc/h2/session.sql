SET LOCK_TIMEOUT {lock_millis}
