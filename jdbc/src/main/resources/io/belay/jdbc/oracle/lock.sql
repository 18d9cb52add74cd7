SELECT token FROM {fence} WHERE name = ? FOR UPDATE
