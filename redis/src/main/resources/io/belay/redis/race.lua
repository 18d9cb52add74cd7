-- One of many that run at the same time: reads a number, stays a while, and writes the next.
local seen = tonumber(redis.call('GET', KEYS[1]) or '0')
local turns = 0
for i = 1, 200 do
  turns = turns + i % 2
end
redis.call('PTTL', KEYS[1])
local next_one = string.format('%.0f', seen + 1)
redis.call('SET', KEYS[1], next_one, 'PX', '60000')
return next_one
