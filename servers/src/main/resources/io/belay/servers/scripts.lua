-- Runs scripts as a server with Lua 5.4 does: what struct takes apart are floats, and so are no text that a command understands.
-- Reads scripts from standard input and asks by standard output for what redis.call wants. A frame is a number of words, one a
-- line, and the words, each behind its length on a line of its own.
local input, output = io.stdin, io.stdout

local function words()
  local list = {}
  for i = 1, assert(tonumber(input:read('l'))) do
    local length = tonumber(input:read('l'))
    list[i] = length == 0 and '' or input:read(length)
  end
  return list
end

local function send(...)
  local list = {...}
  output:write(#list, '\n')
  for _, word in ipairs(list) do
    output:write(#word, '\n', word)
  end
  output:flush()
end

local struct = {}

local function each(format)
  local order = string.match(format, '^[<>]') or ''
  return string.gmatch(string.sub(format, #order + 1), '(%a)(%d*)'), order
end

function struct.pack(format, ...)
  local next_code, order = each(format)
  local parts, i = {}, 0
  for code, size in next_code do
    if code == 'x' then
      parts[#parts + 1] = '\0'
    else
      i = i + 1
      local value = select(i, ...)
      if code == 'c' then
        assert(type(value) == 'string' and (size == '0' or #value >= tonumber(size)), 'too short')
        parts[#parts + 1] = size == '0' and value or string.sub(value, 1, tonumber(size))
      else
        parts[#parts + 1] = string.pack(order .. code .. size, value)
      end
    end
  end
  return table.concat(parts)
end

function struct.unpack(format, text, at)
  local next_code, order = each(format)
  local values, place = {}, at or 1
  for code, size in next_code do
    if code == 'x' then
      place = place + 1
    elseif code == 'c' then
      local length = tonumber(size)
      if length == 0 then
        length = math.tointeger(table.remove(values))
      end
      assert(place + length - 1 <= #text, 'data string too short')
      values[#values + 1] = string.sub(text, place, place + length - 1)
      place = place + length
    else
      local value
      value, place = string.unpack(order .. code .. size, text, place)
      values[#values + 1] = value + 0.0
    end
  end
  values[#values + 1] = place
  return table.unpack(values)
end

local function ask(...)
  for i = 1, select('#', ...) do
    assert(type((select(i, ...))) == 'string', 'argument ' .. i .. ' of a command is no text')
  end
  send('call', ...)
  local answer = words()
  local kind, text = answer[1], answer[2]
  if kind == 'error' then
    return {err = text}
  elseif kind == 'number' then
    return math.tointeger(tonumber(text))
  elseif kind == 'nothing' then
    return false
  elseif kind == 'status' then
    return {ok = text}
  elseif kind == 'list' then
    return table.pack(table.unpack(answer, 2))
  end
  return text
end

local redis = {pcall = ask}

function redis.call(...)
  local answer = ask(...)
  if type(answer) == 'table' and answer.err then
    error(answer, 0)
  end
  return answer
end

function redis.error_reply(text)
  return {err = text}
end

local function environment(keys, arguments)
  local known = {
    redis = redis, struct = struct, KEYS = keys, ARGV = arguments, string = string, table = table, math = math,
    tonumber = tonumber, tostring = tostring, type = type, pcall = pcall, ipairs = ipairs, pairs = pairs, error = error}
  return setmetatable(known, {__index = function(_, name)
    error('a global that is not there: ' .. tostring(name), 2)
  end, __newindex = function(_, name)
    error('a script makes the global ' .. tostring(name), 2)
  end})
end

while true do
  local request = words()
  local count = tonumber(request[2])
  local keys = table.pack(table.unpack(request, 3, 2 + count))
  local arguments = table.pack(table.unpack(request, 3 + count))
  local chunk, wrong = load(request[1], '@user_script', 't', environment(keys, arguments))
  if not chunk then
    send('error', 'ERR Error compiling script: ' .. wrong)
  else
    local fine, result = pcall(chunk)
    if not fine then
      send('error', type(result) == 'table' and result.err or 'ERR Error running script: ' .. tostring(result))
    elseif type(result) == 'table' and result.err then
      send('error', result.err)
    elseif math.type(result) == 'float' then
      send('error', 'ERR a script returned a double')
    elseif type(result) == 'number' then
      send('number', tostring(result))
    elseif type(result) == 'string' then
      send('text', result)
    else
      send('nothing')
    end
  end
end
