-- Tells a client of a cluster on its channel in the key's slot. It may listen there only once it knows that it waits.
local function publish(client, message)
  redis.pcall('SPUBLISH', '@PREFIX@{' .. ARGV[2] .. '}' .. client, message)
end
