-- Adds a member after all members added before; one that is in the set already keeps its place.
--
-- KEYS  1 a sorted set: the rooms of a player, or the players whose guest token was replaced
-- ARGV  1 the member: a room as <name>:<epoch>, or a player's id

local last = redis.call("ZREVRANGE", KEYS[1], 0, 0, "WITHSCORES")
return redis.call("ZADD", KEYS[1], "NX", (tonumber(last[2]) or 0) + 1, ARGV[1])
