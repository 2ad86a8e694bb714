-- Adds a line to a chat, deletes the oldest ones, and notifies all subscribers; not if its key was used before.
--
-- KEYS  1 the chat    2 the channel of the room's chat and presence    3 the record of the line's key, if it has one
-- ARGV  1 the line    2 about how many lines are kept    3 for how many milliseconds    4 PUBLISH or SPUBLISH
--       5 the fingerprint of the request    6 for how many milliseconds the key is remembered
--
-- Returns the line's id; for a key that was used before, the id, fingerprint and data of the line that was added then.

if KEYS[3] then
  local known = redis.call("HMGET", KEYS[3], "id", "fingerprint", "line")
  if known[1] then
    return known
  end
end
local id = redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[2], "*", "l", ARGV[1])
local oldest = tonumber(string.match(id, "^%d+")) - tonumber(ARGV[3])
redis.call("XTRIM", KEYS[1], "MINID", "~", string.format("%.0f", math.max(0, oldest)))
redis.call("PEXPIRE", KEYS[1], ARGV[3])
redis.pcall(ARGV[4], KEYS[2], "s" .. id .. " " .. ARGV[1])
if KEYS[3] then
  redis.call("HSET", KEYS[3], "id", id, "fingerprint", ARGV[5], "line", ARGV[1])
  redis.call("PEXPIRE", KEYS[3], ARGV[6])
end
return {id}
