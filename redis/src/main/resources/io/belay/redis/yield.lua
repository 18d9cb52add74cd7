
local sequence, lease, waiters
id, sequence, lease, waiters = struct.unpack('>c24I8I8I4', arg)
local i = find(id)
if i and i <= granted and claims[i][SEQUENCE] == sequence and claims[i][HOLD] == 0 then
  local claim = claims[i]
  local owner = claim.owner or part(claim.at + FIXED, claim[LENGTH])
  -- Since when it was held is not told of the next hold. That stands behind client and host, process, thread and on whose behalf;
  -- an owner that was written by an earlier version ends with its thread.
  local since = 1
  for text = 1, 4 do
    since = since + (string.byte(owner, since) or 0) + 1
    if text == 2 then
      since = since + 8
    end
  end
  if #owner >= since + 7 then
    claim.owner = string.sub(owner, 1, since - 1) .. string.rep('\0', 8) .. string.sub(owner, since + 8)
  end
  move_to_tail(i, lease, waiters)
end
