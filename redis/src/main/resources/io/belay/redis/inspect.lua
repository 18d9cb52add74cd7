-- The record as it is, after the time. What is none may be long, and is not read: read.lua tells what a record begins with.
local head = redis.call('GETRANGE', KEYS[1], '0', '16')
if #head == 17 then
  local letter, kept, last = struct.unpack('>BI8I8', head)
  if letter ~= 98 and letter >= 97 and letter <= 122 then
    return redis.error_reply('BELAYVERSION a record of another version')
  elseif letter ~= 98 or kept >= 8000000000000 or last >= 8000000000000000 then
    return redis.error_reply('BELAYRECORD not a record')
  end
end
local record = redis.call('GET', KEYS[1])
if record == '' then
  return redis.error_reply('BELAYRECORD not a record')
end
local time = redis.call('TIME')
return struct.pack('>I8', time[1] * 1000000 + time[2]) .. (record or '')
