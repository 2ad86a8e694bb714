-- Keeps a snapshot of a room. Receipts are kept for the latest snapshot only, and an older one never becomes the latest.
-- Of all snapshots the newest four stay, and of each thousand versions the first.
--
-- KEYS  1 the room's snapshots    2 those of releases that signed none, which nobody reads any more
-- ARGV  1 version    2 the snapshot    3 its receipts

redis.call("DEL", KEYS[2])
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
local latest = redis.call("HGET", KEYS[1], "latest")
if not latest or tonumber(latest) <= tonumber(ARGV[1]) then
  redis.call("HSET", KEYS[1], "latest", ARGV[1], "receipts", ARGV[3])
end

local versions = {}
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  if tonumber(field) then
    versions[#versions + 1] = tonumber(field)
  end
end
table.sort(versions)
for i = 2, #versions - 4 do
  if math.floor(versions[i] / 1000) == math.floor(versions[i - 1] / 1000) then
    redis.call("HDEL", KEYS[1], string.format("%d", versions[i]))
  end
end
return 1
