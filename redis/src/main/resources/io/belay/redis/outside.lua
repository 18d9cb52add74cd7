-- What whoever has asked is to publish: the length of a message (2 bytes), the client whose it is, and the message but for the key.
local outside = {}

local function leave_to_publish(client, message)
  outside[#outside + 1] = struct.pack('>I2', #message) .. client .. message
end
