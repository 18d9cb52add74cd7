-- Tells a client of a cluster, on whatever node it listens. How many heard it, nobody knows here.
local function publish(client, message)
  redis.pcall('PUBLISH', '@PREFIX@' .. client, message)
end
