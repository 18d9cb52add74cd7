-- All keys of a server, each with the milliseconds for which it is kept: -1 for ever.
local all = {}
for i, key in ipairs(redis.call('KEYS', '*')) do
  all[i] = redis.call('PTTL', key) .. ' ' .. key
end
return all
