UPDATE {table} SET version = ? WHERE name = ? AND version > ?
