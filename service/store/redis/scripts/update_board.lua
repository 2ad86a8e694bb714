-- Writes rows and matches of a leaderboard, if it has everything up to the version from which they changed.
--
-- KEYS  1 rows    2 places    3 matches    4 version
-- ARGV  1 the version from which they changed, "" for a part that is staged    2 the version as of which they are
--       3 how many rows follow    for each row: player, data, score ("" without a place)
--       then for each match: its id, its version
--
-- Returns 1 if they were written.

if ARGV[1] ~= "" then
  local version = tonumber(redis.call("GET", KEYS[4]) or "0")
  if version < tonumber(ARGV[1]) or version >= tonumber(ARGV[2]) then
    return 0
  end
  redis.call("SET", KEYS[4], ARGV[2])
end

local after = 4 + 3 * tonumber(ARGV[3])
for i = 4, after - 1, 3 do
  redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1])
  if ARGV[i + 2] == "" then
    redis.call("ZREM", KEYS[2], ARGV[i])
  else
    redis.call("ZADD", KEYS[2], ARGV[i + 2], ARGV[i])
  end
end
for i = after, #ARGV, 2 do
  redis.call("HSET", KEYS[3], ARGV[i], ARGV[i + 1])
end
return 1
