SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)
