-- Deletes what was staged for a leaderboard.
--
-- KEYS  1 rows    2 places    3 matches    4 points    5 version, all as staged

redis.call("DEL", KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
return 1
