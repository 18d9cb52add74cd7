
local sequence, owner
id, sequence, owner = struct.unpack('>c24I8I2c0', arg)
local i, claim = find(id)
if i and claim[SEQUENCE] == sequence then
  -- In its place if it is as long as the one before, else everything behind it moves.
  anew = anew or claim[LENGTH] ~= #owner
  claim.owner, claim.dirty, changed = owner, true, true
end
