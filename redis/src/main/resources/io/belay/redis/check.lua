-- Uses every right that the other scripts need, on a key that nobody uses, without writing anything.
redis.call('TIME')
redis.call('GET', KEYS[1])
redis.call('GETRANGE', KEYS[1], '0', '0')
redis.call('SETRANGE', KEYS[1], '0', '')
redis.call('PTTL', KEYS[1])
redis.call('SET', KEYS[1], '', 'XX', 'KEEPTTL')
return redis.call('PUBLISH', ARGV[1], '')
