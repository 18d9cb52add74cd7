UPDATE {table} SET version = ?, state = ?, forget = ?
WHERE name = ? AND version = ? AND CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) <= ?
