-- The table that this session finds comes first, then some of the others of that name which the user may write to.
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.oid = to_regclass('{table}')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = to_regclass('{table}')
   OR (c.relname = lower('{table}') AND c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
       AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'INSERT'))
ORDER BY 2 DESC NULLS LAST, 1 LIMIT 4
