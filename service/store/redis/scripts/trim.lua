-- Deletes the events of a closed room. The stream itself is kept, and with it its last version.
--
-- KEYS  1 the stream    2 its snapshots    3 the partition's closed rooms    4 its due set    5 its snapshots of older
-- releases ARGV  1 the room, <name>:<epoch>

redis.call("XTRIM", KEYS[1], "MAXLEN", 0)
redis.call("DEL", KEYS[2], KEYS[5])
redis.call("ZREM", KEYS[4], ARGV[1])
return redis.call("ZREM", KEYS[3], ARGV[1])
