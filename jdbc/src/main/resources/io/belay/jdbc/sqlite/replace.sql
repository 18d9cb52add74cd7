UPDATE {table} SET version = ?, state = ?, forget = ?
WHERE name = ? AND version = ? AND CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 <= ?
