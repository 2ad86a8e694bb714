-- Writes rows, matches and points of a leaderboard, if it has everything up to the version from which they changed, or
-- stages them, if the rebuild to which they belong is under way.
--
-- KEYS  1 rows    2 places    3 matches    4 points    5 version; for a part that is staged all of these as staged, and
--       the number of the rebuild under way
-- ARGV  1 the version from which they changed, "" for a part that is staged
--       2 the version as of which they are, or the number of the rebuild
--       3 how many milliseconds a rebuild may pause, "" if it is none
--       4 how many rows follow    for each row: player, data, score ("" without a place)
--       how many matches follow    for each match: its id, its version
--       then for each point: player, version, time in seconds, rating, deviation
--
-- Returns 1 if they were written.

if ARGV[1] ~= "" then
  local version = tonumber(redis.call("GET", KEYS[5]) or "0")
  if version < tonumber(ARGV[1]) or version >= tonumber(ARGV[2]) then
    return 0
  end
  redis.call("SET", KEYS[5], ARGV[2])
elseif redis.call("GET", KEYS[5]) ~= ARGV[2] then
  return 0
else
  redis.call("PEXPIRE", KEYS[5], ARGV[3])
end

local after = 5 + 3 * tonumber(ARGV[4])
for i = 5, after - 1, 3 do
  redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1])
  if ARGV[i + 2] == "" then
    redis.call("ZREM", KEYS[2], ARGV[i])
  else
    redis.call("ZADD", KEYS[2], ARGV[i + 2], ARGV[i])
  end
end

local points = after + 1 + 2 * tonumber(ARGV[after])
for i = after + 1, points - 1, 2 do
  redis.call("HSET", KEYS[3], ARGV[i], ARGV[i + 1])
end

-- The stored form and what is kept are those of `with_point` in projections/leaderboards.py.
local HEADER, POINT, MOST = 12, 10, 500
for i = points, #ARGV, 5 do
  local known = redis.call("HGET", KEYS[4], ARGV[i])
  local count, stride, version = 0, 1, 0
  if known then
    count, stride, version = struct.unpack(">I4I4I4", known)
  end
  local added = tonumber(ARGV[i + 1])
  if not known or added > version then
    local kept = known and string.sub(known, HEADER + 1) or ""
    if count > 0 and (count - 1) % stride ~= 0 then
      kept = string.sub(kept, 1, -POINT - 1)
    end
    kept = kept .. struct.pack(">I4i4I2", tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]))
    if #kept > MOST * POINT then
      local every_second = {}
      for at = 1, #kept, 2 * POINT do
        every_second[#every_second + 1] = string.sub(kept, at, at + POINT - 1)
      end
      kept, stride = table.concat(every_second), 2 * stride
    end
    redis.call("HSET", KEYS[4], ARGV[i], struct.pack(">I4I4I4", count + 1, stride, added) .. kept)
  end
end
return 1
