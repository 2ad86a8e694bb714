-- Replaces a leaderboard by the one that was staged for it, if the rebuild that staged it is under way.
--
-- KEYS  1 rows    2 the order of places    3 the order of everybody    4 matches    5 points    6 version
--       7-11 the first five as staged    12 the number of the rebuild under way
-- ARGV  1 the number of the rebuild    2 the version up to which the new one has everything
--
-- Returns 1 if it was replaced.

if redis.call("GET", KEYS[12]) ~= ARGV[1] then
  return 0
end
for i = 1, 5 do
  if redis.call("EXISTS", KEYS[i + 6]) == 1 then
    redis.call("RENAME", KEYS[i + 6], KEYS[i])
  else
    redis.call("DEL", KEYS[i])
  end
end
redis.call("SET", KEYS[6], ARGV[2])
redis.call("DEL", KEYS[12])
return 1
