
unqueue(count())
capacity, resized, changed, anew, state = struct.unpack('>I4', arg), 1, true, true, GONE
for i = #claims, granted + 1, -1 do
  if claims[i][WEIGHT] > capacity then
    ended[#ended + 1] = remove(i)
  end
end
