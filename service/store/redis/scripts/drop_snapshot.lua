-- Deletes a snapshot of a room. If it was the latest, the one before it becomes the latest, without records.
--
-- KEYS  1 the room's snapshots
-- ARGV  1 the version

redis.call("HDEL", KEYS[1], ARGV[1])
if redis.call("HGET", KEYS[1], "latest") ~= ARGV[1] then
  return 1
end
local found = 0
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  found = math.max(found, tonumber(field) or 0)
end
if found == 0 then
  return redis.call("DEL", KEYS[1])
end
return redis.call("HSET", KEYS[1], "latest", string.format("%d", found), "receipts", "")
