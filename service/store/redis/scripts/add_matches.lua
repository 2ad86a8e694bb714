-- Adds matches to the index of a player, and replaces results that count them, unless something has changed meanwhile.
--
-- KEYS  1 the matches by the time of their end    2 the results: by name the numbers of wins, draws and losses of all
--       matches and of the public ones; under "." the time of the first public match; under "#" how many matches were
--       counted; under "mac:<name>" their MACs
-- ARGV  1 "" or how many matches there are, if all that there is shall be replaced
--       2 how many results follow    for each: its name, its value before ("" for none), its value, its MAC ("" for none)
--       then for each match: the time of its end, the match as JSON
--
-- Returns whether it was done.

local matches = 3 + 4 * tonumber(ARGV[2])
if ARGV[1] ~= "" then
  if redis.call("ZCARD", KEYS[1]) ~= tonumber(ARGV[1]) then
    return 0
  end
  redis.call("DEL", KEYS[1], KEYS[2])
end
for i = 3, matches - 1, 4 do
  if (redis.call("HGET", KEYS[2], ARGV[i]) or "") ~= ARGV[i + 1] then
    return 0
  end
end
for i = 3, matches - 1, 4 do
  redis.call("HSET", KEYS[2], ARGV[i], ARGV[i + 2])
  if ARGV[i + 3] ~= "" then
    redis.call("HSET", KEYS[2], "mac:" .. ARGV[i], ARGV[i + 3])
  end
end
for i = matches, #ARGV, 2 do
  redis.call("ZADD", KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
