-- Uses every right that the other scripts need, on a key that no lock can have: what is there is overwritten.
redis.call('TIME')
redis.call('GET', KEYS[1])
redis.call('GETRANGE', KEYS[1], '0', '0')
redis.call('SETRANGE', KEYS[1], '0', '')
redis.call('PTTL', KEYS[1])
-- To append nothing makes the key, so this right is only looked up. Before 7.0 that cannot be done: the key has ended when the
-- next command looks at it, which deletes it.
if not redis.acl_check_cmd then
  redis.call('APPEND', KEYS[1], '')
  redis.call('SET', KEYS[1], '', 'XX', 'PXAT', '1')
  redis.call('GET', KEYS[1])
elseif not redis.acl_check_cmd('APPEND', '@PREFIX@', '') then
  return redis.error_reply("NOPERM this user has no permissions to run the 'append' command")
end
redis.call('SET', KEYS[1], '', 'XX', 'KEEPTTL')
@TELL@
