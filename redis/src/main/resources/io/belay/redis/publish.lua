-- Tells a client, and returns how many heard it.
local function publish(client, message)
  return redis.pcall('PUBLISH', '@PREFIX@' .. client, message)
end
