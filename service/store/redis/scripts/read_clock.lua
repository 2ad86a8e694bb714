-- Reads the store's clock and what is known of the service's clock.
--
-- KEYS  1 the clock
--
-- Returns the store's time, its correction, the latest time that a process reported, and its wall clock then, all in
-- milliseconds; false for unknown values.

local time = redis.call("TIME")
local kept = redis.call("HMGET", KEYS[1], "correction", "latest", "wall")
return { time[1] * 1000 + math.floor(time[2] / 1000), kept[1], kept[2], kept[3] }
