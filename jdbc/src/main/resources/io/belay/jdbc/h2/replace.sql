UPDATE {table} SET version = ?, state = ?, forget = ?
WHERE name = ? AND version = ?
  AND CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT) <= ?
