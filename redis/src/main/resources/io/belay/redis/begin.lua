-- What follows is the reference model, io.belay.spi.Resource, in Lua. Times are in microseconds.
--
-- A record is one string: its version, 'b' (another layout has another small letter there, and is left as it is), until
-- when the key is kept (8 bytes, milliseconds; 0: for ever), the last sequence (8), its shape (1), and by shape
--   '0'  nobody: the rest is a leftover
--   '1'  one claim as fast-enter.lua left it: the enter's argument; its sequence is the last, which is also the time
--   '2'  capacity (4), resized (1), granted (4), claims (4), tombstones (4), a time before which nothing expires (8) and
--        one after which nothing does (8), where the first claim begins (4); tombstones; a gap; claims
-- A sequence stays below 2^53, so Lua's numbers hold it; it is only ever packed, never turned into text.
local ID, WEIGHT, SEQUENCE, DEADLINE, HOLD, PENDING, REWEIGHTS, ENTERED, WAITERS, STICKY, LENGTH = 1, 2, 3, 4, 5, 6, 7, 8, 9,
  10, 11
local CLAIM, FIXED, HEADER = '>c24I4I8I8I8BI4I8I4BI2', 72, 55
local GRANTED, WAITING, GONE, BUSY, LEFT, REFUSED, BEHIND, FAILED = 0, 1, 2, 3, 4, 5, 6, 255
local ENDED, OTHER_CAPACITY, TOO_HEAVY, NO_ROOM = 1, 2, 3, 4
local STICKY_SEQUENCES = 64
local PICK_UP, MEMORY, DISTANT, NEVER = 2000000, 60000000, 8000000000000000, 9000000000000000
local answers, clock = {}, nil
-- A long record as the last search found it, and the place of what it found, for a search for the next one in the same queue.
local seen

-- A number as the text that commands take: Lua 5.4 would write some with a point.
local function int(number)
  return string.format('%.0f', number)
end

-- What is asked of one key; returns an error if what is there is no record.
local function run(k)
local key, arg = @KEY@, ARGV[k]
