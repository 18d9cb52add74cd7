-- Tells a client of a cluster on its channel in the key's slot. It may listen there only once it knows that it waits; that
-- a claim was ended by force, which is rare, goes to all nodes, since a holder does not listen in its slot. Where a script may
-- publish in its own slot only, whoever has asked does that.
local function publish(client, message, how, key)
  if how == 0 then
    local heard = redis.pcall('PUBLISH', '@PREFIX@' .. client, message .. key)
    if type(heard) == 'table' then
      leave_to_publish(client, message)
    end
  else
    redis.pcall('SPUBLISH', '@PREFIX@{' .. ARGV[2] .. '}' .. client, message .. key)
  end
end
