-- Begins to rebuild a leaderboard: deletes what was staged for it.
--
-- KEYS  1 rows    2 the order of places    3 the order of everybody    4 matches    5 points
--       6 the number of the rebuild under way, all as staged    7 how many rebuilds have begun
-- ARGV  1 "1" to take over from a rebuild under way, or else ""
--       2 how many milliseconds a rebuild may pause before another one may begin
--
-- Returns the number of the rebuild, 0 if another one is under way.

if ARGV[1] == "" and redis.call("EXISTS", KEYS[6]) == 1 then
  return 0
end
redis.call("DEL", KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
local number = redis.call("INCR", KEYS[7])
redis.call("SET", KEYS[6], number, "PX", ARGV[2])
return number
