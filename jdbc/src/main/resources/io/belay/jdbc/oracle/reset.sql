UPDATE {fence} SET token = 0 WHERE name = ?
