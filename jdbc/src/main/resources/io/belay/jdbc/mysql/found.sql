-- Asked of the server: a driver need not know of a USE.
SELECT CONCAT('`', REPLACE(DATABASE(), '`', '``'), '`.{table}'), TRUE FROM DUAL WHERE DATABASE() IS NOT NULL
