SELECT name FROM {table} WHERE name >= ? AND name < ? ORDER BY name FETCH FIRST {page} ROWS ONLY
