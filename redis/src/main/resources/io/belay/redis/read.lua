
if not answers[k] then
local deaf, now, slack = {}, nil, 20000
-- The clients that hear nothing.
local absent = {}
repeat
-- Long strings are slow in Lua: the beginning will mostly do.
local text = redis.call('GETRANGE', key, '0', '511')
local kept, last, shape = 0, 0, '0'
-- An empty string is somebody else's, and no free lock: there is a key then.
if text ~= '' or redis.call('PTTL', key) ~= -2 then
  local version
  if #text >= 18 then
    version, kept, last, shape = struct.unpack('>c1I8I8c1', text)
  end
  -- No text passes for a record: its times would be absurd.
  local letter = string.byte(text) or 0
  if letter ~= 98 and letter >= 97 and letter <= 122 then
    return redis.error_reply('BELAYVERSION a record of another version')
  elseif version ~= 'b' or shape < '0' or shape > '2' or kept * 1000 >= DISTANT or last >= DISTANT then
    return redis.error_reply('BELAYRECORD not a record')
  end
end

-- The key's time to live tells how far the clock is from the instant that the key is kept until, at a third of the cost
-- of TIME. Milliseconds will do: two in one millisecond differ in their sequence.
local left = kept > 0 and redis.call('PTTL', key) or -1
if left < 0 then
  kept = 0
end
if not now and left >= 0 then
  now = (kept - left) * 1000
elseif not now then
  local time = redis.call('TIME')
  now = (time[1] * 1000 + math.floor(time[2] / 1000)) * 1000
end

-- The claims, in order: those in this table, all granted ones among them; those that are still in the record only, from
-- the given place on; one that was put behind them.
local claims, queued, place_of_queue, tail = {}, 0, 0, nil
-- One of those in the record only, taken out of their midst, with how many of them are before it: the others stay there.
local lone
local capacity, resized, granted, soonest, latest, first = 0, 0, 0, NEVER, 0, HEADER
local tombstones, ended = {}, {}
-- Whether anything has changed, and whether the record has to be written anew.
local changed, anew = false, shape ~= '2'

local whole = #text < 512

local function whole_text()
  if not whole then
    text, whole = redis.call('GET', key), true
  end
end

-- What is read at once of a long record where many wait: the granted claims.
local piece, piece_at = '', 0

local function part(at, length)
  if at + length <= #text then
    return string.sub(text, at + 1, at + length)
  elseif at >= piece_at and at + length <= piece_at + #piece then
    return string.sub(piece, at - piece_at + 1, at - piece_at + length)
  end
  return redis.call('GETRANGE', key, int(at), int(at + length - 1))
end

-- Takes the claim apart that is stored there.
local function read(at)
  local claim
  if at + FIXED <= #text then
    claim = {struct.unpack(CLAIM, text, at + 1)}
  else
    claim = {struct.unpack(CLAIM, part(at, FIXED))}
  end
  claim.at = at
  return claim
end

-- How far the record is known to reach.
local known = 0

-- Fails if the record is cut off before that place: nothing is granted from such a one, and nothing written behind it.
local function reach(place)
  if place > #text and (whole or place > known and redis.call('GETRANGE', key, int(place - 1), int(place - 1)) == '') then
    error('BELAYRECORD not a record', 0)
  end
  known = math.max(known, place)
end

local function take(claim)
  claims[#claims + 1] = claim
  return claim.at + FIXED + claim[LENGTH]
end

local function pack(claim)
  local owner = claim.owner or part(claim.at + FIXED, claim[LENGTH])
  return struct.pack(CLAIM, claim[ID], claim[WEIGHT], claim[SEQUENCE], claim[DEADLINE], claim[HOLD], claim[PENDING],
    claim[REWEIGHTS], claim[ENTERED], claim[WAITERS], claim[STICKY], #owner) .. owner
end

if shape == '1' then
  whole_text()
  local id, lease, hold, wanted, weight, iffree, waiters, owner = struct.unpack('>c24I8I8I4I4BI4I2c0', text, 19)
  claims[1] = {id, weight, last, last + lease, 0, 0, 0, last, waiters, 0, owner = owner}
  capacity, granted, soonest, latest = wanted, 1, last + lease, last + lease
elseif shape == '2' then
  local count, buried
  capacity, resized, granted, count, buried, soonest, latest, first = struct.unpack('>I4BI4I4I4I8I8I4', text, 19)
  if granted > 3 and count <= 2 * granted then
    whole_text()
  elseif granted > 1 and not whole then
    piece, piece_at = redis.call('GETRANGE', key, int(first), int(first + granted * 256 - 1)), first
  end
  local dead = buried > 0 and part(HEADER, buried * 32)
  for i = 1, buried do
    tombstones[i] = {struct.unpack('>c24I8', dead, 1 + (i - 1) * 32)}
  end
  place_of_queue, queued = first, count - granted
  for i = 1, granted do
    place_of_queue = take(read(place_of_queue))
  end
  -- Many wait at times, and to step over all of them takes long: of a long record the least that they take is looked for.
  reach(place_of_queue + queued * FIXED)
  local place = place_of_queue
  for i = 1, #text < 512 and queued or 0 do
    local high, low = string.byte(text, place + FIXED - 1, place + FIXED)
    place = place + FIXED + (high or 0) * 256 + (low or 0)
  end
  reach(place)
end

local function count()
  return #claims + queued + (tail and 1 or 0)
end

local function unqueue(number)
  seen = nil
  if number > 3 then
    whole_text()
  end
  for i = 1, number do
    if queued > 0 and lone and lone.before == 0 then
      queued, place_of_queue, lone = queued - 1, take(lone), nil
    elseif queued > 0 then
      queued, place_of_queue = queued - 1, take(read(place_of_queue))
      reach(place_of_queue)
      if lone then
        lone.before = lone.before - 1
      end
    elseif tail then
      claims[#claims + 1], tail = tail, nil
    end
  end
end

-- Looks for a claim from a place in the queue on, with how many are before that.
local function look(id, at, before)
  local hit = string.find(seen.text, id, at + 1, true)
  while hit and before < queued do
    if hit == at + 1 then
      lone = read(at)
      lone.before, seen.at, seen.before = before, at, before
      reach(at + FIXED + lone[LENGTH])
      return #claims + before + 1, lone
    elseif hit <= at then
      hit = string.find(seen.text, id, at + 1, true)
    else
      local high, low = string.byte(seen.text, at + FIXED - 1, at + FIXED)
      at, before = at + FIXED + high * 256 + low, before + 1
    end
  end
end

-- Takes a claim out of the midst of those that are in the record only. Many wait at times, and to take all of them apart
-- takes long. So does to fetch them: who renews many of them at once mostly finds each behind the last, as none moves.
local function search(id)
  if not seen or seen.key ~= key then
    -- Who gives up is mostly one of the first: of a long queue these are looked at before all is fetched.
    local at = place_of_queue
    for before = 0, queued > 64 and 2 or -1 do
      local claim = read(at)
      at = at + FIXED + claim[LENGTH]
      if claim[ID] == id then
        reach(at)
        lone, claim.before = claim, before
        return #claims + before + 1, lone
      end
    end
    whole_text()
    seen = {key = key, text = text, at = place_of_queue, before = 0}
  end
  local i, claim = look(id, seen.at, seen.before)
  if not i and seen.before > 0 then
    i, claim = look(id, place_of_queue, 0)
  end
  return i, claim
end

-- Where a claim stands in the order, and what it says.
local function find(id)
  if lone and lone[ID] ~= id then
    unqueue(queued)
  end
  for i = 1, #claims do
    if claims[i][ID] == id then
      return i, claims[i]
    end
  end
  if lone then
    return #claims + lone.before + 1, lone
  elseif queued > 0 then
    return search(id)
  end
end

-- Has those before it move up to where a claim ends that goes, if most are behind it. Returns whether that is
-- so: to write all anew who wait takes long, and those who give up are mostly the first of them.
local function close_up(i)
  if i > 1 and queued < 3 * i or i > #claims and lone.before > 64 then
    return false
  end
  if i > #claims then
    unqueue(lone.before + 1)
  end
  for j = 1, i do
    if not claims[j].at then
      return false
    end
  end
  local length = FIXED + claims[i][LENGTH]
  for j = 1, i - 1 do
    local other = claims[j]
    other.owner = other.owner or part(other.at + FIXED, other[LENGTH])
    other.at, other.dirty = other.at + length, true
  end
  first = first + length
  return true
end

local function remove(i)
  changed, seen = true, nil
  local closed = close_up(i)
  if i > #claims then
    whole_text()
    local claim = lone
    text = string.sub(text, 1, claim.at) .. string.sub(text, claim.at + FIXED + claim[LENGTH] + 1)
    queued, lone, anew = queued - 1, nil, true
    return claim
  end
  anew = anew or not closed
  if i <= granted then
    granted = granted - 1
  end
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
  claim[DEADLINE], claim.dirty = deadline, true
  soonest, latest = math.min(soonest, deadline), math.max(latest, deadline)
  changed = true
end

-- The one rule: the next waiting claim is granted when it fits with all before it. One that nobody would hear of
-- is passed over.
local function grant()
  local sum = granted_weight()
  while sum < capacity and count() > granted do
    if granted == #claims then
      unqueue(1)
    end
    local claim = claims[granted + 1]
    sum = sum + claim[WEIGHT]
    if sum > capacity then
      return
    end
    if absent[string.sub(claim[ID], 1, 16)] then
      sum = sum - claim[WEIGHT]
      remove(granted + 1)
    else
      granted = granted + 1
      local window = PICK_UP
      if claim[HOLD] > 0 then
        window = math.min(claim[HOLD], window)
      end
      set_deadline(claim, math.min(claim[DEADLINE], now + window))
      claim[PENDING], claim.fresh = 1, true
    end
  end
end

-- Puts a claim behind all others, granted if it fits; under the next sequence, unless another is given.
local function append(claim, deadline, fits, sequence)
  seen = nil
  claim[SEQUENCE] = sequence or math.max(last + 1, now)
  last = claim[SEQUENCE] + claim[STICKY] * (STICKY_SEQUENCES - 1)
  set_deadline(claim, deadline)
  if fits then
    granted = granted + 1
    claims[granted] = claim
  else
    tail = claim
  end
end

-- The owner was heard of.
local function touch(claim, held, lease, waiters)
  if held and claim[HOLD] > 0 then
    if claim[PENDING] == 0 then
      return
    end
    lease = claim[HOLD]
  end
  claim[PENDING], claim[WAITERS] = 0, waiters
  set_deadline(claim, math.max(claim[DEADLINE], now + lease))
end

local function move_to_tail(i, lease, waiters)
  local claim = claims[i]
  claim.owner = claim.owner or part(claim.at + FIXED, claim[LENGTH])
  remove(i)
  grant()
  if claim[WEIGHT] > capacity then
    ended[#ended + 1] = claim
    return
  end
  claim[PENDING], claim[WAITERS], claim.fresh, claim.at = 0, waiters, nil, nil
  append(claim, math.max(claim[DEADLINE], now + lease), count() == granted and granted_weight() + claim[WEIGHT] <= capacity)
end

-- An operation sets the id that it is about, or the state to answer with.
local id, state, refusal, have, others, asked, least = nil, nil, 0, 0, 0, 0, 0
