
local sequence, lease, waiters, fresh
id, sequence, lease, waiters, fresh = struct.unpack('>c24I8I8I4B', ARGV[1], 45 * (k - 1) + 1)
slack = 50000 -- it will be renewed again: see fast-renew.lua
local i, claim = find(id)
if i and claim[SEQUENCE] == sequence then
  -- After a shrink it might not be granted again, and a renewal takes nothing away.
  local movable = i <= granted and claim[HOLD] == 0 and count() == granted and granted_weight() <= capacity
  if fresh == 1 and movable then
    move_to_tail(i, lease, waiters)
  else
    touch(claim, i <= granted, lease, waiters)
  end
end
