UPDATE {table} SET version = ?, state = ?, forget = ?
WHERE name = ? AND version = ?
  AND DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP(6)) <= ?
