
-- Before anything expires: a claim that is still there was released, however late.
local leaving = string.sub(arg, 2, 25)
local i = find(leaving)
state = GONE
if i then
  remove(i)
  state = LEFT
  if count() == 0 then
    latest = 0 -- a latch's count ends in a century, and its key would be kept for that
  end
end
if #arg > 25 then
  for j = #tombstones, 1, -1 do
    if tombstones[j][1] == leaving then
      table.remove(tombstones, j)
    end
  end
  tombstones[#tombstones + 1] = {leaving, now + MEMORY}
  soonest = math.min(soonest, now + MEMORY)
  changed, anew = true, true
end
