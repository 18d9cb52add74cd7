SELECT token FROM {fence} WHERE name = ?
