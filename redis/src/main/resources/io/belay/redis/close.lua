
grant()
local sequence, deadline, reweights, place, waiters, expiry = 0, 0, 0, 0, waiting(), 0
local about
if tail then
  about, place = tail, waiters
elseif id and not state then
  local i = find(id)
  if i then
    about, place = claims[i], math.max(0, i - granted)
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
answers[k] = struct.pack('>I8BI8I8I4I4I8I4BI4I8I4',
  now, state or GONE, sequence, deadline, reweights, place, expiry, waiters, refusal, have, others, asked)

local function write()
  local needed = math.max(now + MEMORY, latest + MEMORY, last)
  local rest = '0'
  if #claims + queued + #tombstones + resized > 0 then
    local parts = {struct.pack('>c1I4BI4I4I4I8I8', '2', capacity, resized, granted, #claims + queued, #tombstones, soonest, latest)}
    for i = 1, #tombstones do
      needed = math.max(needed, tombstones[i][2])
      parts[#parts + 1] = struct.pack('>c24I8', tombstones[i][1], tombstones[i][2])
    end
    for i = 1, #claims do
      parts[#parts + 1] = pack(claims[i])
    end
    parts[#parts + 1] = queue
    rest = table.concat(parts)
  else
    needed = math.max(now + MEMORY, last)
  end
  needed = math.ceil(needed / 1000)
  if resized == 1 then
    kept = 0
    redis.call('SET', key, struct.pack('>c1I8I8', 'b', kept, last) .. rest)
  elseif kept < needed or kept > needed + 60000 then
    kept = needed + 20000
    redis.call('SET', key, struct.pack('>c1I8I8', 'b', kept, last) .. rest, 'PXAT', kept)
  else
    redis.call('SET', key, struct.pack('>c1I8I8', 'b', kept, last) .. rest, 'KEEPTTL')
  end
end

-- Last, since an error here would undo nothing. Returns how many heard it.
local function push(claim, how)
  local message = struct.pack('>c24I8BI8I8', claim[ID], claim[SEQUENCE], how, now, how * claim[DEADLINE]) .. key
  local heard = redis.pcall('PUBLISH', '@PREFIX@' .. string.sub(claim[ID], 1, 16), message)
  return type(heard) == 'number' and heard or 1
end

while changed do
  changed = false
  write()
  for i = granted, 1, -1 do
    local claim = claims[i]
    if claim.fresh then
      claim.fresh = nil
      if push(claim, 1) == 0 then
        remove(i) -- its owner is gone: the next one, in this same step
      end
    end
  end
  grant()
end
for i = 1, #ended do
  push(ended[i], 0)
end
end
return table.concat(answers)
