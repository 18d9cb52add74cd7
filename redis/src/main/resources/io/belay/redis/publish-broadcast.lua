-- Tells a client of a cluster, on whatever node it listens. How many heard it, nobody knows here.
local function publish(client, message, _, key)
  redis.pcall('PUBLISH', '@PREFIX@' .. client, message .. key)
end
