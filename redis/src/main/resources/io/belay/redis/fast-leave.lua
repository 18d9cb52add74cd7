-- The end of what fast-enter.lua began, if nobody has asked since: the record is marked as free.
if redis.call('GETRANGE', KEYS[1], '17', '41') == ARGV[1] then
  redis.call('SETRANGE', KEYS[1], '17', '0')
  return 0
end
