-- SYSDATE alone goes on where a session's time was set.
SELECT 1 FROM DUAL WHERE ABS(TIMESTAMPDIFF(SECOND, NOW(), SYSDATE())) > 5
