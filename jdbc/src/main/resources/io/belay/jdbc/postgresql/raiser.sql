-- The sessions whose open transaction keeps the fence of a lock from others: the one that has its row (xmax), or, where
-- nobody else can see the row yet, those that have written to the table.
-- 1: the lock's name
WITH raiser AS (
    SELECT held.pid, held.transactionid IS NULL AS perhaps
    FROM pg_locks held
    WHERE held.granted
      AND held.pid <> pg_backend_pid()
      AND (held.locktype = 'transactionid'
               AND held.mode = 'ExclusiveLock'
               AND held.transactionid = (SELECT fence.xmax FROM {fence} fence WHERE fence.name = ?)
           OR held.locktype = 'relation'
               AND held.mode = 'RowExclusiveLock'
               AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND held.relation = '{fence}'::regclass)
)
SELECT DISTINCT raiser.pid, activity.application_name, host(activity.client_addr), activity.state,
       EXTRACT(EPOCH FROM clock_timestamp() - activity.xact_start)::bigint
FROM raiser LEFT JOIN pg_stat_activity activity ON activity.pid = raiser.pid
WHERE NOT raiser.perhaps OR NOT EXISTS (SELECT FROM raiser WHERE NOT perhaps)
ORDER BY 1
