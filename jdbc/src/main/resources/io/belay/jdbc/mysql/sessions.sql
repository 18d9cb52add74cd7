-- Without the right PROCESS it tells those of the same user.
SHOW PROCESSLIST
