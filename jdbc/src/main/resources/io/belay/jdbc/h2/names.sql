SELECT name FROM {table} WHERE name >= ? AND name < ? ORDER BY name LIMIT {page}
