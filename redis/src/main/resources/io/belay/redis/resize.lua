
unqueue(count())
local wanted = struct.unpack('>I4', arg)
state = GONE
if wanted > 0 and capacity == 2147483647 and count() > 0 then
  -- It is in use as something else.
  state, refusal, have, asked = REFUSED, OTHER_CAPACITY, capacity, wanted
elseif wanted > 0 then
  capacity, resized, changed, anew = wanted, 1, true, true
  for i = #claims, granted + 1, -1 do
    if claims[i][WEIGHT] > capacity then
      ended[#ended + 1] = remove(i)
    end
  end
elseif resized == 1 and count() == 0 then
  -- What was set is forgotten.
  resized, changed, anew, state = 0, true, true, LEFT
end
