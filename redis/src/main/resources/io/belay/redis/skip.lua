
local sequence
id, sequence = struct.unpack('>c24I8', arg)
local i = find(id)
if i and i <= granted and claims[i][SEQUENCE] == sequence and claims[i][PENDING] == 1 then
  remove(i)
end
