-- Raises the fences of locks to the tokens of their holders, and then has the effect: in one step, as a script is. If one
-- fence stands higher, nothing is done, and the error says which and where it stands.
--
-- KEYS: the fences, then what the effect is to have. ARGV: how many fences, their tokens, then what the effect is to have.
-- effect(KEYS, ARGV) stands before this.

local function belay_fence(fences, tokens)
  -- Tokens have more digits than a number of Lua's, so they are compared as what is written.
  local function is_below(a, b)
    return #a < #b or (#a == #b and a < b)
  end
  for i, fence in ipairs(fences) do
    if not string.find(tokens[i] or '', '^[1-9]%d*$') or is_below('9223372036854775807', tokens[i]) then
      return redis.error_reply('ERR fence ' .. i .. ' is given no token')
    end
    local raised = redis.call('GET', fence)
    if raised and (not string.find(raised, '^%d+$') or is_below('9223372036854775807', raised)) then
      return redis.error_reply('NOTOKEN ' .. i)
    elseif raised and is_below(tokens[i], raised) then
      return redis.error_reply('STALETOKEN ' .. i .. ' ' .. raised)
    end
  end
  for i, fence in ipairs(fences) do
    redis.call('SET', fence, tokens[i])
  end
  return nil
end

local fences, tokens, keys, args = {}, {}, {}, {}
local count = tonumber(ARGV[1])
for i = 1, #KEYS do
  if i <= count then
    fences[i] = KEYS[i]
    tokens[i] = ARGV[1 + i]
  else
    keys[i - count] = KEYS[i]
  end
end
for i = 2 + count, #ARGV do
  args[i - 1 - count] = ARGV[i]
end
local refusal = belay_fence(fences, tokens)
if refusal then
  return refusal
end
return effect(keys, args)
