-- Tells a client, and returns how many heard it.
local function publish(client, message, _, key)
  return redis.pcall('PUBLISH', '@PREFIX@' .. client, message .. key)
end
