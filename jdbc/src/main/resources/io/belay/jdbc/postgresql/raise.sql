UPDATE {fence} SET token = ? WHERE name = ? AND token <= ?
