-- Whoever has tried to raise it is the only one who writes, until the commit.
SELECT token FROM {fence} WHERE name = ?
