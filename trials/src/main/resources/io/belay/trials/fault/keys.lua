-- All keys of a server, each with the milliseconds for which it is kept, -1 for ever, and how many bytes it has: 0 where
-- it is no string.
local all = {}
for i, key in ipairs(redis.call('KEYS', '*')) do
  local bytes = redis.call('TYPE', key).ok == 'string' and redis.call('STRLEN', key) or 0
  all[i] = redis.call('PTTL', key) .. ' ' .. bytes .. ' ' .. key
end
return all
