-- The guarded counters, and the highest token that each lock has shown.
CREATE TABLE IF NOT EXISTS belay_fence (name TEXT PRIMARY KEY, token INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
