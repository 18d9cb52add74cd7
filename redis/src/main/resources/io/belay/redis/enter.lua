
local lease, hold, wanted, weight, flags, waiters, owner, behind, proposed
id, lease, hold, wanted, weight, flags, waiters, owner, behind = struct.unpack('>c24I8I8I4I4BI4I2c0', arg, 2)
local i, claim = find(id)
if i then
  touch(claim, i <= granted, lease, waiters)
else
  local room = capacity
  if count() == 0 and resized == 0 then
    room = wanted
  end
  for j = 1, #tombstones do
    if tombstones[j][1] == id then
      state, refusal = REFUSED, ENDED
    end
  end
  if not state and wanted ~= room then
    state, refusal, have, asked = REFUSED, OTHER_CAPACITY, room, wanted
  elseif not state and weight > room then
    state, refusal, have, asked = REFUSED, TOO_HEAVY, room, weight
  end
  local fits = count() == granted and granted_weight() + weight <= room
  if not state and flags % 2 == 1 and not fits then
    state = BUSY
  end
  if not state and behind <= #arg then
    proposed = struct.unpack('>I8', arg, behind)
    if proposed <= last or proposed < now or proposed - now > lease then
      state, least = BEHIND, math.max(last + 1, now)
    end
  end
  if not state then
    capacity = room
    if fits and hold > 0 then
      lease = hold
    end
    append({id, weight, 0, 0, hold, 0, 0, now, waiters, math.floor(flags / 2), owner = owner}, now + lease, fits,
      proposed)
  end
end
