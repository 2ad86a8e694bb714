-- Replaces the contents of lines of a chat, which keep their places. A stream's entries cannot be changed, so it is
-- written again; lines that do not exist are left out.
--
-- KEYS  1 the chat
-- ARGV  the id of a line and its new content, for each line

local changed = {}
for at = 1, #ARGV, 2 do
  changed[ARGV[at]] = ARGV[at + 1]
end
local lines = redis.call("XRANGE", KEYS[1], "-", "+")
if #lines == 0 then
  return 0
end
local lasts = redis.call("PTTL", KEYS[1])
redis.call("DEL", KEYS[1])
for _, line in ipairs(lines) do
  redis.call("XADD", KEYS[1], line[1], "l", changed[line[1]] or line[2][2])
end
if lasts > 0 then
  redis.call("PEXPIRE", KEYS[1], lasts)
end
return #lines
