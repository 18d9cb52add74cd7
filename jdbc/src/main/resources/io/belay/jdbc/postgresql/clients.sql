SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE 'belay/%'
