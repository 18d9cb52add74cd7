-- Has a client told by whoever has asked, once it has the answer, as scripts may not publish here. How many will hear it, nobody
-- knows.
local function publish(client, message)
  leave_to_publish(client, message)
end
