-- Renews a process's lease by the service's clock, also one that has ended, but not that of a process declared dead.
--
-- KEYS  1 the processes, by the time when their lease ends, 0 for those declared dead    2 the clock
-- ARGV  1 the process    2 the lease, in milliseconds
--       3 by how many milliseconds the time may differ from the latest report; more means a step of the clock
--
-- Returns whether the process was known and not declared dead, and the processes whose lease has ended.

local time = redis.call("TIME")
local clock = redis.call("HMGET", KEYS[2], "correction", "latest")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(clock[1] or 0)
local latest = tonumber(clock[2] or now)
if math.abs(now - latest) > tonumber(ARGV[3]) then
  now = latest
end
local ends = tonumber(redis.call("ZSCORE", KEYS[1], ARGV[1]) or -1)
if ends ~= 0 then
  redis.call("ZADD", KEYS[1], string.format("%.0f", now + tonumber(ARGV[2])), ARGV[1])
end
local dead = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", string.format("(%.0f", now))
return { ends > 0 and 1 or 0, dead }
