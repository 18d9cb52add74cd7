-- The role before comes first: a row is read before what is made of it is set.
WITH former AS MATERIALIZED (SELECT current_setting('role') AS role)
SELECT role, set_config('role', ?, false) FROM former
