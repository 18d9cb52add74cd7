-- Nothing where it is found by SCHEMA_SEARCH_PATH, or not at all.
SELECT '"' || REPLACE(SCHEMA(), '"', '""') || '".{table}', TRUE
FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = SCHEMA() AND UPPER(TABLE_NAME) = UPPER('{table}')
