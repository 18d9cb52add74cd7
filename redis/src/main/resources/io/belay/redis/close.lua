
-- Grants that nobody heard of, in the round before this one, go to the next of another client: of that one there
-- may be thousands, and a round for each takes long.
for i = 1, #deaf do
  absent[string.sub(deaf[i], 1, 16)] = true
  local j = find(deaf[i])
  if j then
    remove(j)
  end
end
grant()

local tell = false -- whether those who keep the resource are to let go of it
if not answers[k] then
  local sequence, deadline, reweights, place, waiters, expiry = least, 0, 0, 0, count() - granted, 0
  local about
  if tail then
    about, place = tail, waiters
  elseif id and not state then
    local i
    i, about = find(id)
    if i then
      place = math.max(0, i - granted)
    end
  end
  if about then
    state, sequence, deadline, reweights = GRANTED, about[SEQUENCE], about[DEADLINE], about[REWEIGHTS]
    if place > 0 then
      state, waiters = WAITING, waiters - 1
    end
    about.fresh = nil -- its owner learns of a grant by the answer
  end
  for i = 1, granted do
    if expiry == 0 or claims[i][DEADLINE] < expiry then
      expiry = claims[i][DEADLINE]
    end
  end
  tell = place == 1 or state == BUSY
  answers[k] = struct.pack('>I8BI8I8I4I4I8I4BI4I8I4',
    now, state or GONE, sequence, deadline, reweights, place, expiry, waiters, refusal, have, others, asked)
end

local claims_now = count()
local used = claims_now + #tombstones + resized > 0

-- What is written into the record next, and where that begins and ends.
local pieces, begin, finish = {}, 0, 0

local function flush()
  if #pieces > 0 then
    redis.call('SETRANGE', key, int(begin), table.concat(pieces))
  end
end

-- A claim in its place, together with the one before it; its owner too, if that is another one of the same length.
local function write(claim)
  local bytes = claim.owner and pack(claim) or struct.pack('>c24I4I8I8I8BI4I8I4B', claim[ID], claim[WEIGHT],
    claim[SEQUENCE], claim[DEADLINE], claim[HOLD], claim[PENDING], claim[REWEIGHTS], claim[ENTERED], claim[WAITERS],
    claim[STICKY])
  if claim.at ~= finish then
    flush()
    pieces, begin = {}, claim.at
  end
  pieces[#pieces + 1] = bytes
  finish = claim.at + #bytes
end

-- The record in place: what has changed, what came behind, the numbers before it.
local function update()
  local behind = {}
  for i = 1, #claims do
    if not claims[i].at then
      behind[#behind + 1] = pack(claims[i])
    end
  end
  if tail then
    behind[#behind + 1] = pack(tail)
  end
  -- First, as this alone may fail, for want of the right to it or of memory.
  if #behind > 0 then
    redis.call('APPEND', key, table.concat(behind))
  end
  for i = 1, #claims do
    if claims[i].at and claims[i].dirty then
      write(claims[i])
    end
  end
  if lone and lone.dirty then
    write(lone)
  end
  flush()
  redis.call('SETRANGE', key, '9', struct.pack('>I8c1I4BI4I4I4I8I8I4',
    last, '2', capacity, resized, granted, claims_now, #tombstones, soonest, latest, first))
end

local function whole_record()
  seen = nil
  if lone and lone.dirty then
    whole_text()
  end
  if not used then
    return struct.pack('>c1I8I8c1', 'b', kept, last, '0')
  end
  local parts = {struct.pack('>c1I8I8c1I4BI4I4I4I8I8I4', 'b', kept, last, '2', capacity, resized, granted, claims_now,
    #tombstones, soonest, latest, HEADER + #tombstones * 32)}
  for i = 1, #tombstones do
    parts[#parts + 1] = struct.pack('>c24I8', tombstones[i][1], tombstones[i][2])
  end
  for i = 1, #claims do
    parts[#parts + 1] = pack(claims[i])
  end
  if queued > 0 and not whole then
    parts[#parts + 1] = redis.call('GETRANGE', key, int(place_of_queue), '-1')
  elseif queued > 0 and lone and lone.dirty then
    parts[#parts + 1] = string.sub(text, place_of_queue + 1, lone.at)
    parts[#parts + 1] = pack(lone)
    parts[#parts + 1] = string.sub(text, lone.at + FIXED + lone[LENGTH] + 1)
  elseif queued > 0 then
    parts[#parts + 1] = string.sub(text, place_of_queue + 1)
  end
  if tail then
    parts[#parts + 1] = pack(tail)
  end
  return table.concat(parts)
end

if changed then
  local needed = math.max(now + MEMORY, last)
  if used then
    needed = math.max(needed, latest + MEMORY)
  end
  needed = math.ceil(needed / 1000)
  local timely = kept >= needed and kept <= needed + 60000
  if resized == 1 then
    kept = 0
    redis.call('SET', key, whole_record())
  elseif not timely then
    -- A record that has one keeps its clock, which is the time to live: it is told by how long, not until when. A slot's
    -- move sets it back by as long as the move took, and that must not leap ahead again under those who hold. A new one
    -- is told until when, as TIME may be a millisecond ahead of what this script began at, and PX counts from there.
    local unit, from = 'PX', now / 1000
    if kept == 0 then
      unit, from = 'PXAT', 0
    end
    kept = needed + slack
    redis.call('SET', key, whole_record(), unit, int(kept - from))
  elseif not used and text ~= '' then
    redis.call('SETRANGE', key, '9', struct.pack('>I8c1', last, '0'))
  elseif anew or #text < 512 or first > 4096 and first * 8 > known then
    redis.call('SET', key, whole_record(), 'KEEPTTL')
  else
    update()
  end
elseif state == GRANTED then
  -- A WAIT counts what replicas lack of what its own connection has written, which may be nothing since the grant.
  redis.call('SETRANGE', key, '0', 'b')
end

-- Last, since an error here would undo nothing. Returns how many heard it.
local function push(claim, how)
  local deadline = how > 0 and claim[DEADLINE] or 0
  local message = struct.pack('>c24I8BI8I8', claim[ID], claim[SEQUENCE], how, now, deadline)
  local heard = publish(string.sub(claim[ID], 1, 16), message, how, key)
  return type(heard) == 'number' and heard or 1
end

deaf = {}
for i = 1, granted do
  if claims[i].fresh then
    if push(claims[i], claims_now > granted and 3 or 1) == 0 then
      deaf[#deaf + 1] = claims[i][ID]
    end
  elseif tell and claims[i][STICKY] == 1 then
    push(claims[i], 3)
  end
end
for i = 1, #ended do
  push(ended[i], 0)
end
until #deaf == 0
end
end
