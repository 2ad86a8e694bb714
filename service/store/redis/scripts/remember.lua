-- Records a room for a player, after all rooms recorded before; a room that is already recorded keeps its place.
--
-- KEYS  1 the player's rooms
-- ARGV  1 the room, <name>:<epoch>

local last = redis.call("ZREVRANGE", KEYS[1], 0, 0, "WITHSCORES")
return redis.call("ZADD", KEYS[1], "NX", (tonumber(last[2]) or 0) + 1, ARGV[1])
