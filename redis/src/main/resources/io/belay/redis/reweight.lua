
local sequence, reweights, weight
id, sequence, reweights, weight = struct.unpack('>c24I8I4I4', arg)
local i = find(id)
if i and i <= granted and claims[i][SEQUENCE] == sequence and claims[i][REWEIGHTS] == reweights then
  local rest = granted_weight() - claims[i][WEIGHT]
  if weight > claims[i][WEIGHT] and rest + weight > capacity then
    refusal, have, others, asked = NO_ROOM, capacity, rest, weight
  else
    claims[i][WEIGHT], claims[i][REWEIGHTS] = weight, reweights + 1
    claims[i].dirty, changed = true, true
  end
end
