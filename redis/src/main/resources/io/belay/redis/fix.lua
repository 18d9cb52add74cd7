
local sequence, reweights, lease
id, sequence, reweights, lease = struct.unpack('>c24I8I4I8', arg)
local i, claim = find(id)
if i and i <= granted and claim[SEQUENCE] == sequence and reweights >= claim[REWEIGHTS] then
  local was = claim[DEADLINE]
  claim[HOLD], claim[PENDING], claim[REWEIGHTS], claim[STICKY] = lease, 0, reweights + 1, 0
  set_deadline(claim, now + lease)
  if was == latest and was > claim[DEADLINE] then
    -- Else the key would be kept until the end that the claim no longer has, perhaps for a year.
    unqueue(count())
    latest = 0
    for j = 1, #claims do
      latest = math.max(latest, claims[j][DEADLINE])
    end
  end
end
