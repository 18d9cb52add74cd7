-- Tells a client of a cluster on its channel in the key's slot. It may listen there only once it knows that it waits; that
-- a claim was ended by force, which is rare, goes to all nodes, since a holder does not listen in its slot.
local function publish(client, message, how)
  if how == 0 then
    redis.pcall('PUBLISH', '@PREFIX@' .. client, message)
  else
    redis.pcall('SPUBLISH', '@PREFIX@{' .. ARGV[2] .. '}' .. client, message)
  end
end
