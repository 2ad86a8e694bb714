-- Writes rows, matches and points of a leaderboard, if it has everything up to the version from which they changed, or
-- stages them, if the rebuild to which they belong is under way.
--
-- KEYS  1 rows    2 the order of places    3 the order of everybody    4 matches    5 points    6 version; for a part that
--       is staged all of these as staged, and the number of the rebuild under way
-- ARGV  1 the version from which they changed, "" for a part that is staged
--       2 the version as of which they are, or the number of the rebuild
--       3 how many milliseconds a rebuild may pause, "" if it is none
--       4 how many rows follow    for each row: player, data, its scores in the order of everybody and in that of
--       places ("" if it is not in it)
--       how many matches follow    for each match: its id, its version
--       then for each player with new points: player and points, or the field of their MAC and the MAC
--
-- Returns 1 if they were written.

if ARGV[1] ~= "" then
  local version = tonumber(redis.call("GET", KEYS[6]) or "0")
  if version < tonumber(ARGV[1]) or version >= tonumber(ARGV[2]) then
    return 0
  end
  redis.call("SET", KEYS[6], ARGV[2])
elseif redis.call("GET", KEYS[6]) ~= ARGV[2] then
  return 0
else
  redis.call("PEXPIRE", KEYS[6], ARGV[3])
end

local function place(order, player, score)
  if score == "" then
    redis.call("ZREM", order, player)
  else
    redis.call("ZADD", order, score, player)
  end
end

local after = 5 + 4 * tonumber(ARGV[4])
for i = 5, after - 1, 4 do
  redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 1])
  place(KEYS[3], ARGV[i], ARGV[i + 2])
  place(KEYS[2], ARGV[i], ARGV[i + 3])
end

local points = after + 1 + 2 * tonumber(ARGV[after])
for i = after + 1, points - 1, 2 do
  redis.call("HSET", KEYS[4], ARGV[i], ARGV[i + 1])
end

for i = points, #ARGV, 2 do
  redis.call("HSET", KEYS[5], ARGV[i], ARGV[i + 1])
end
return 1
