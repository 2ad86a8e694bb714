-- Adds a line to a chat, deletes the oldest ones, and notifies all subscribers.
--
-- KEYS  1 the chat    2 the channel of the room's chat and presence
-- ARGV  1 the line    2 about how many lines are kept    3 for how many milliseconds    4 PUBLISH or SPUBLISH
--
-- Returns the line's id.

local id = redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[2], "*", "l", ARGV[1])
local oldest = tonumber(string.match(id, "^%d+")) - tonumber(ARGV[3])
redis.call("XTRIM", KEYS[1], "MINID", "~", string.format("%.0f", math.max(0, oldest)))
redis.call("PEXPIRE", KEYS[1], ARGV[3])
redis.pcall(ARGV[4], KEYS[2], "s" .. id .. " " .. ARGV[1])
return id
