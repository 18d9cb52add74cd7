-- The most common cases, with as few steps as can be; whatever else it is, is left to what follows. A lock that is free
-- is taken: the record is then of the shape '1', see read.lua. One that somebody has alone is refused to who will not
-- wait for it, which changes nothing (and is for nobody to hear of, unless the claim is sticky).
local head = redis.call('GETRANGE', KEYS[1], '0', '17')
if head == '' then
  local time = redis.call('TIME')
  local millis = time[1] * 1000 + math.floor(time[2] / 1000)
  local kept = millis + 110000
  local record = struct.pack('>c1I8I8', 'b', kept, millis * 1000) .. ARGV[1]
  if not redis.call('SET', KEYS[1], record, 'PXAT', string.format('%.0f', kept), 'NX') then
    return redis.error_reply('BELAYRECORD not a record') -- an empty string
  end
  return struct.pack('>I8', millis * 1000)
end
local version, shape = string.byte(head), string.byte(head, 18)
if version == 98 and shape == 48 then
  local kept, last = struct.unpack('>I8I8', head, 2)
  local left = kept < 8000000000000 and redis.call('PTTL', KEYS[1]) or 0
  local now = (kept - left) * 1000
  if now <= last and last < now + 1000 then
    now = last + 1 -- a later microsecond of the same millisecond
  end
  if now > last and left >= 90000 then
    redis.call('SETRANGE', KEYS[1], '9', struct.pack('>I8', now) .. ARGV[1])
    return struct.pack('>I8', now)
  end
elseif version == 98 and string.byte(ARGV[1], 50) == 1 then
  local kept, last = struct.unpack('>I8I8', head, 2)
  local text = redis.call('GETRANGE', KEYS[1], '18', '511')
  local id, capacity, weight, deadline, lease, hold, resized, granted, count, buried, soonest, latest, first, sequence
  local iffree, waiters, pending, reweights, entered, sticky, owner
  if shape == 49 and #text >= 55 then
    id, lease, hold, capacity, weight, iffree, waiters, owner = struct.unpack('>c24I8I8I4I4BI4I2', text)
    deadline, owner = last + lease, owner + 55
  elseif shape == 50 and #text >= 109 then
    capacity, resized, granted, count, buried, soonest, latest, first, id, weight, sequence, deadline, hold, pending,
      reweights, entered, waiters, sticky, owner = struct.unpack('>I4BI4I4I4I8I8I4c24I4I8I8I8BI4I8I4BI2', text)
    owner = granted == 1 and count == 1 and buried == 0 and resized == 0 and first == 55 and
      sticky == 0 and owner + 109
  end
  local own, my_lease, my_hold, wanted, more = struct.unpack('>c24I8I8I4I4', ARGV[1], 2)
  if owner and owner <= #text and id ~= own and capacity == wanted and weight + more > capacity and kept < 8000000000000 then
    local left = redis.call('PTTL', KEYS[1])
    local now = (kept - left) * 1000
    if left > 0 and deadline > now then
      return struct.pack('>I8BI8I8I4I4I8I4BI4I8I4', now, 3, 0, 0, 0, 0, deadline, 0, 0, 0, 0, 0)
    end
  end
end
