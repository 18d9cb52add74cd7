-- The record as it is, after the time.
local record = redis.call('GET', KEYS[1])
if record == '' then
  return redis.error_reply('BELAYRECORD not a record')
end
local time = redis.call('TIME')
return struct.pack('>I8', time[1] * 1000000 + time[2]) .. (record or '')
