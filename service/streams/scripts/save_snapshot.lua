-- Keeps a snapshot of a room. Receipts are kept for the latest snapshot only, and an older one never becomes the latest.
--
-- KEYS  1 the room's snapshots    2 those of releases that signed none, which nobody reads any more
-- ARGV  1 version    2 the snapshot    3 its receipts

redis.call("DEL", KEYS[2])
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
local latest = redis.call("HGET", KEYS[1], "latest")
if not latest or tonumber(latest) <= tonumber(ARGV[1]) then
  redis.call("HSET", KEYS[1], "latest", ARGV[1], "receipts", ARGV[3])
end
return 1
