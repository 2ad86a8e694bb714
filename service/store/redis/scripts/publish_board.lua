-- Replaces a leaderboard by the one that was staged for it.
--
-- KEYS  1 rows    2 places    3 matches    4 version    5-7 the first three as staged
-- ARGV  1 the version up to which the new one has everything

for i = 1, 3 do
  if redis.call("EXISTS", KEYS[i + 4]) == 1 then
    redis.call("RENAME", KEYS[i + 4], KEYS[i])
  else
    redis.call("DEL", KEYS[i])
  end
end
redis.call("SET", KEYS[4], ARGV[1])
return 1
