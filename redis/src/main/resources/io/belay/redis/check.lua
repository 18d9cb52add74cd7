-- Uses every right that the other scripts need, on a key that nobody uses, without writing anything.
redis.call('TIME')
redis.call('GET', KEYS[1])
redis.call('GETRANGE', KEYS[1], '0', '0')
redis.call('SETRANGE', KEYS[1], '0', '')
redis.call('PTTL', KEYS[1])
-- To append nothing would make the key, so this one is only looked up, where that can be done.
if redis.acl_check_cmd and not redis.acl_check_cmd('APPEND', KEYS[1], '') then
  return redis.error_reply("NOPERM this user has no permissions to run the 'append' command")
end
redis.call('SET', KEYS[1], '', 'XX', 'KEEPTTL')
return redis.call('@PUBLISH@', ARGV[1], '')
