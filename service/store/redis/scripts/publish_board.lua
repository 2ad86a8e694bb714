-- Replaces a leaderboard by the one that was staged for it, if the rebuild that staged it is under way.
--
-- KEYS  1 rows    2 places    3 matches    4 points    5 version    6-9 the first four as staged
--       10 the number of the rebuild under way
-- ARGV  1 the number of the rebuild    2 the version up to which the new one has everything
--
-- Returns 1 if it was replaced.

if redis.call("GET", KEYS[10]) ~= ARGV[1] then
  return 0
end
for i = 1, 4 do
  if redis.call("EXISTS", KEYS[i + 5]) == 1 then
    redis.call("RENAME", KEYS[i + 5], KEYS[i])
  else
    redis.call("DEL", KEYS[i])
  end
end
redis.call("SET", KEYS[5], ARGV[2])
redis.call("DEL", KEYS[10])
return 1
