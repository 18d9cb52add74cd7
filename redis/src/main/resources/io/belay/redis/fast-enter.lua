-- The most common case, a lock that is free, with as few steps as can be; whatever else it is, is left to what follows.
-- It writes a record of the shape '1': see read.lua.
local head = redis.call('GETRANGE', KEYS[1], '0', '17')
if head == '' then
  local time = redis.call('TIME')
  local millis = time[1] * 1000 + math.floor(time[2] / 1000)
  local kept = millis + 110000
  redis.call('SET', KEYS[1], struct.pack('>c1I8I8', 'b', kept, millis * 1000) .. ARGV[1], 'PXAT', kept)
  return millis * 1000
end
if string.byte(head, 18) == 48 and string.byte(head) == 98 then
  local kept, last = struct.unpack('>I8I8', head, 2)
  local left = kept < 8000000000000 and redis.call('PTTL', KEYS[1]) or 0
  local now = (kept - left) * 1000
  if now <= last and last < now + 1000 then
    now = last + 1 -- a later microsecond of the same millisecond
  end
  if now > last and left >= 90000 then
    redis.call('SETRANGE', KEYS[1], '9', struct.pack('>I8', now) .. ARGV[1])
    return now
  end
end
