-- What follows is the reference model, io.belay.spi.Resource, in Lua. Times are in microseconds.
--
-- A record is one string: 'b', until when the key is kept (8 bytes, milliseconds; 0: for ever), the last sequence (8),
-- its shape (1), and by shape
--   '0'  nobody: the rest is a leftover
--   '1'  one claim as fast-enter.lua left it: the enter's argument; its sequence is the last, which is also the time
--   '2'  capacity (4), resized (1), granted (4), claims (4), tombstones (4), a time before which nothing expires (8) and
--        one after which nothing does (8), the tombstones, the claims
-- A sequence stays below 2^53, so Lua's numbers hold it; it is only ever packed, never turned into text.
local ID, WEIGHT, SEQUENCE, DEADLINE, HOLD, PENDING, REWEIGHTS, ENTERED, WAITERS, OWNER, NEXT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
local CLAIM = '>c24I4I8I8I8BI4I8I4I2c0'
local GRANTED, WAITING, GONE, BUSY, LEFT, REFUSED = 0, 1, 2, 3, 4, 5
local ENDED, OTHER_CAPACITY, TOO_HEAVY, NO_ROOM = 1, 2, 3, 4
local PICK_UP, MEMORY, NEVER = 2000000, 60000000, 9000000000000000
local answers = {}
for k = 1, #KEYS do
local key, arg = KEYS[k], ARGV[k]
local record = redis.call('GET', key)
local kept, last, shape = 0, 0, '0'
if record then
  local version
  version, kept, last, shape = struct.unpack('>c1I8I8c1', record)
  if version ~= 'b' or shape < '0' or shape > '2' then
    return redis.error_reply('BELAYRECORD not a record')
  end
end

-- The key's time to live tells how far the clock is from the instant that the key is kept until, at a third of the cost
-- of TIME. Milliseconds will do: two in one millisecond differ in their sequence.
local now
local left = kept > 0 and redis.call('PTTL', key) or -1
if left >= 0 then
  now = (kept - left) * 1000
else
  local time = redis.call('TIME')
  now = (time[1] * 1000 + math.floor(time[2] / 1000)) * 1000
  kept = 0
end

-- The first claims are taken apart, all granted ones among them; those behind stay as they are, in the queue, until they
-- are needed. So a long queue costs little.
local capacity, resized, granted, soonest, latest = 0, 0, 0, NEVER, 0
local claims, tombstones, queue, queued = {}, {}, '', 0
local ended, tail, changed = {}, nil, false
if shape == '1' then
  local id, lease, hold, wanted, weight, iffree, waiters, owner = struct.unpack('>c24I8I8I4I4BI4I2c0', record, 19)
  claims[1] = {id, weight, last, last + lease, 0, 0, 0, last, waiters, owner}
  capacity, granted, soonest, latest = wanted, 1, last + lease, last + lease
elseif shape == '2' then
  local count, buried, at
  capacity, resized, granted, count, buried, soonest, latest, at = struct.unpack('>I4BI4I4I4I8I8', record, 19)
  for i = 1, buried do
    local id, till
    id, till, at = struct.unpack('>c24I8', record, at)
    tombstones[i] = {id, till}
  end
  for i = 1, granted do
    local claim = {struct.unpack(CLAIM, record, at)}
    claims[i] = claim
    at = claim[NEXT]
  end
  if count > granted then
    queue, queued = string.sub(record, at), count - granted
  end
end

local function waiting()
  return #claims + queued - granted
end

local function pack(c)
  return struct.pack(CLAIM, c[ID], c[WEIGHT], c[SEQUENCE], c[DEADLINE], c[HOLD], c[PENDING], c[REWEIGHTS], c[ENTERED], c[WAITERS], #c[OWNER], c[OWNER])
end

-- Takes the first claims of the queue apart.
local function unqueue(count)
  local at = 1
  for i = 1, count do
    local claim = {struct.unpack(CLAIM, queue, at)}
    claims[#claims + 1] = claim
    at = claim[NEXT]
  end
  queue, queued = string.sub(queue, at), queued - count
end

local function find(id)
  for i = 1, #claims do
    if claims[i][ID] == id then
      return i
    end
  end
  if queued > 0 and string.find(queue, id, 1, true) then
    local from = #claims + 1
    unqueue(queued)
    for i = from, #claims do
      if claims[i][ID] == id then
        return i
      end
    end
  end
end

local function remove(i)
  if i <= granted then
    granted = granted - 1
  end
  changed = true
  return table.remove(claims, i)
end

local function granted_weight()
  local sum = 0
  for i = 1, granted do
    sum = sum + claims[i][WEIGHT]
  end
  return sum
end

local function set_deadline(claim, deadline)
  claim[DEADLINE] = deadline
  soonest, latest = math.min(soonest, deadline), math.max(latest, deadline)
end

-- The one rule: the next waiting claim is granted when it fits with all before it.
local function grant()
  local sum = granted_weight()
  while sum < capacity and waiting() > 0 do
    if granted == #claims then
      unqueue(1)
    end
    local claim = claims[granted + 1]
    sum = sum + claim[WEIGHT]
    if sum > capacity then
      return
    end
    granted = granted + 1
    local window = PICK_UP
    if claim[HOLD] > 0 then
      window = math.min(claim[HOLD], window)
    end
    set_deadline(claim, math.min(claim[DEADLINE], now + window))
    claim[PENDING], claim.fresh = 1, true
    changed = true
  end
end

-- Puts a claim behind all others, granted if it fits.
local function append(claim, deadline, fits)
  last = math.max(last + 1, now)
  claim[SEQUENCE] = last
  set_deadline(claim, deadline)
  if fits then
    granted = granted + 1
    claims[granted] = claim
  else
    queue, queued, tail = queue .. pack(claim), queued + 1, claim
  end
  changed = true
end

-- The owner was heard of.
local function touch(claim, held, lease, waiters)
  if held and claim[HOLD] > 0 then
    if claim[PENDING] == 0 then
      return
    end
    lease = claim[HOLD]
  end
  set_deadline(claim, math.max(claim[DEADLINE], now + lease))
  claim[PENDING], claim[WAITERS] = 0, waiters
  changed = true
end

local function move_to_tail(i, lease, waiters)
  local claim = remove(i)
  grant()
  if claim[WEIGHT] > capacity then
    ended[#ended + 1] = claim
    return
  end
  claim[PENDING], claim[WAITERS], claim.fresh = 0, waiters, nil
  append(claim, math.max(claim[DEADLINE], now + lease), waiting() == 0 and granted_weight() + claim[WEIGHT] <= capacity)
end

-- An operation sets the id that it is about, or the state to answer with.
local id, state, refusal, have, others, asked = nil, nil, 0, 0, 0, 0
