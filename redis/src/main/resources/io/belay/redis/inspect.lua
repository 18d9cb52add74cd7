-- The record as it is, after the time.
local time = redis.call('TIME')
return struct.pack('>I8', time[1] * 1000000 + time[2]) .. (redis.call('GET', KEYS[1]) or '')
