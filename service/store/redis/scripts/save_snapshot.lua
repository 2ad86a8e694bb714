-- Stores a snapshot of a room. Only the latest snapshot has idempotency records, and an older one never becomes the
-- latest. Of all snapshots the newest four are kept, and the first of each thousand versions.
--
-- KEYS  1 the room's snapshots    2 those of releases without MACs, which are no longer read
-- ARGV  1 version    2 the snapshot    3 its idempotency records

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
