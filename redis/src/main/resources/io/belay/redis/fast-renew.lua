
-- The most common renewal, of the only claim there is, without what follows; whatever else it is, is left to that. The
-- requests stand back to back in the one argument, and one look at the clock does for all of them.
local own, of, lease, waiters, fresh = struct.unpack('>c24I8I8I4B', ARGV[1], 45 * (k - 1) + 1)
local text = redis.call('GETRANGE', key, '0', '511')
if fresh == 0 and #text >= 84 and string.byte(text) == 98 then
  local kept, last, shape, capacity = struct.unpack('>I8I8BI4', text, 2)
  local id, weight, sequence, deadline, reweights, entered, rest
  if shape == 50 and #text >= 127 and string.sub(text, 23, 35) == '\0\0\0\0\1\0\0\0\1\0\0\0\0' then
    local first, hold, pending, length
    first, id, weight, sequence, deadline, hold, pending, reweights, entered, length =
      struct.unpack('>I4c24I4I8I8I8BI4I8xxxxxI2', text, 52)
    if first ~= HEADER or hold > 0 or #text < 127 + length then
      id = nil
    end
    rest = 125
  elseif shape == 49 then
    -- As fast-enter.lua left it, before what an earlier record may have left behind it.
    local length
    id, deadline, capacity, weight, length = struct.unpack('>c24I8xxxxxxxxI4I4xxxxxI2', text, 19)
    sequence, deadline, reweights, entered, rest = last, last + deadline, 0, last, 72
    id, text = #text >= 73 + length and id, string.sub(text, 1, 73 + length)
  end
  if id == own and sequence == of and kept * 1000 < DISTANT and last < DISTANT then
    -- The record's own clock may be ahead, as its slot has come from a node whose clock is. Others go by that, so the record is
    -- written anew, which sets it back. The server's is looked at once more first, as some let time go on in a script.
    local own_clock = (kept - redis.call('PTTL', key)) * 1000
    if not clock or own_clock > clock + 2000 then
      local time = redis.call('TIME')
      clock = (time[1] * 1000 + math.floor(time[2] / 1000)) * 1000
    end
    if own_clock > clock + 2000 then
      deadline, kept = deadline - (own_clock - clock), 0
    end
    local till = math.max(deadline, clock + lease)
    local needed = math.ceil((till + MEMORY) / 1000)
    local claim = struct.pack('>I8I8I4c24I4I8I8I8BI4I8I4',
      till, till, HEADER, id, weight, sequence, till, 0, 0, reweights, entered, waiters)
    if deadline <= clock then
      claim = nil
    elseif shape == 50 and needed <= kept then
      redis.call('SETRANGE', key, '35', claim)
    elseif #text < 512 then
      -- It will be renewed again, so the key is kept for some renewals more. The only claim there is may be given the
      -- server's own time again after a move: its end is set by that same time.
      kept = needed + 50000
      redis.call('SET', key, struct.pack('>c1I8I8c1I4BI4I4I4', 'b', kept, last, '2', capacity, 0, 1, 1, 0)
        .. claim .. (shape == 49 and '\0' or '') .. string.sub(text, rest), 'PXAT', int(kept))
    else
      claim = nil
    end
    if claim then
      answers[k] = struct.pack('>I8BI8I8I4I4I8I4BI4I8I4', clock, GRANTED, sequence, till, reweights, 0, till, 0, 0, 0, 0, 0)
    end
  end
end
