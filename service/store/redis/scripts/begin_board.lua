-- Begins to rebuild a leaderboard: deletes what was staged for it.
--
-- KEYS  1 rows    2 places    3 matches    4 points    5 the number of the rebuild under way, all as staged
--       6 how many rebuilds have begun
-- ARGV  1 "1" to take over from a rebuild under way, or else ""
--       2 how many milliseconds a rebuild may pause before another one may begin
--
-- Returns the number of the rebuild, 0 if another one is under way.

if ARGV[1] == "" and redis.call("EXISTS", KEYS[5]) == 1 then
  return 0
end
redis.call("DEL", KEYS[1], KEYS[2], KEYS[3], KEYS[4])
local number = redis.call("INCR", KEYS[6])
redis.call("SET", KEYS[5], number, "PX", ARGV[2])
return number
