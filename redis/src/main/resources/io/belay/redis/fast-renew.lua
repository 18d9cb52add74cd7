
-- The most common renewal, of the only claim there is, in place; whatever else it is, is left to what follows.
local text = redis.call('GETRANGE', key, '0', '125')
if #text == 126 and string.sub(text, 18, 18) == '2' and string.byte(text) == 98 then
  local kept, last, shape, capacity, resized, granted, count, buried, soonest, latest, first, id, weight, sequence,
    deadline, hold, pending, reweights, entered = struct.unpack('>I8I8c1I4BI4I4I4I8I8I4c24I4I8I8I8BI4I8', text, 2)
  local own, of, lease, waiters, fresh = struct.unpack('>c24I8I8I4B', arg)
  if granted == 1 and count == 1 and buried == 0 and resized == 0 and first == HEADER and id == own and sequence == of
    and hold == 0 and fresh == 0 and kept * 1000 < DISTANT then
    local left = redis.call('PTTL', key)
    local now = (kept - left) * 1000
    local till = math.max(deadline, now + lease)
    if left > 0 and deadline > now and till + MEMORY <= kept * 1000 then
      redis.call('SETRANGE', key, '35', struct.pack('>I8I8I4c24I4I8I8I8BI4I8I4',
        till, till, first, id, weight, sequence, till, hold, 0, reweights, entered, waiters))
      answers[k] = struct.pack('>I8BI8I8I4I4I8I4BI4I8I4', now, GRANTED, sequence, till, reweights, 0, till, 0, 0, 0, 0, 0)
    end
  end
end
