-- The end of what fast-enter.lua began, if nobody has asked since: the record is marked as free.
local head = redis.call('GETRANGE', KEYS[1], '0', '41')
if string.byte(head) == 98 and string.sub(head, 18) == ARGV[1] then
  redis.call('SETRANGE', KEYS[1], '17', '0')
  return '0'
end
