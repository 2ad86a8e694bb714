-- Replaces a leaderboard by the one that was staged for it.
--
-- KEYS  1 rows    2 places    3 matches    4 points    5 version    6-9 the first four as staged
-- ARGV  1 the version up to which the new one has everything

for i = 1, 4 do
  if redis.call("EXISTS", KEYS[i + 5]) == 1 then
    redis.call("RENAME", KEYS[i + 5], KEYS[i])
  else
    redis.call("DEL", KEYS[i])
  end
end
redis.call("SET", KEYS[5], ARGV[1])
return 1
