
local sequence, lease, waiters
id, sequence, lease, waiters = struct.unpack('>c24I8I8I4', arg)
local i = find(id)
if i and i <= granted and claims[i][SEQUENCE] == sequence and claims[i][HOLD] == 0 then
  move_to_tail(i, lease, waiters)
end
