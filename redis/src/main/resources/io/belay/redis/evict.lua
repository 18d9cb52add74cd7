
state = granted > 0 and LEFT or GONE
while granted > 0 do
  ended[#ended + 1] = remove(1)
end
