-- Renews a process's lease on the store's clock.
--
-- KEYS  1 the processes, by the moment when their lease ends
-- ARGV  1 the process    2 the lease, in milliseconds
--
-- Returns whether the lease was still running, and the processes whose lease has ended.

local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ends = redis.call("ZSCORE", KEYS[1], ARGV[1])
redis.call("ZADD", KEYS[1], string.format("%.0f", now + tonumber(ARGV[2])), ARGV[1])
local dead = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", string.format("(%.0f", now))
return { (ends and tonumber(ends) >= now) and 1 or 0, dead }
