-- Finds the latest snapshot of a room, or the latest one up to a version.
--
-- KEYS  1 the room's snapshots
-- ARGV  1 that version, or "" for the latest
--
-- Returns version, snapshot and idempotency records ("" unless it is the latest), or nothing.

local latest = redis.call("HGET", KEYS[1], "latest")
if not latest then
  return false
end
if ARGV[1] == "" or (tonumber(latest) or 0) <= tonumber(ARGV[1]) then
  local kept = redis.call("HGET", KEYS[1], latest)
  if kept then
    return { latest, kept, redis.call("HGET", KEYS[1], "receipts") or "" }
  end
end
local found = 0
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  local version = tonumber(field)
  if version and version > found and (ARGV[1] == "" or version <= tonumber(ARGV[1])) then
    found = version
  end
end
if found == 0 then
  return false
end
local field = string.format("%d", found)
return { field, redis.call("HGET", KEYS[1], field), "" }
