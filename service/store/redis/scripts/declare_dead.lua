-- Declares a process dead whose lease ended some time ago, so that it can no longer renew it under its id.
--
-- KEYS  1 the processes, by the time when their lease ends, 0 for those declared dead    2 the clock
-- ARGV  1 the process    2 how many milliseconds ago its lease must have ended
--       3 by how many milliseconds the time may differ from the latest report; more means a step of the clock
--
-- Returns whether the process is declared dead.

local time = redis.call("TIME")
local clock = redis.call("HMGET", KEYS[2], "correction", "latest")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(clock[1] or 0)
local latest = tonumber(clock[2] or now)
if math.abs(now - latest) > tonumber(ARGV[3]) then
  now = latest
end
local ends = tonumber(redis.call("ZSCORE", KEYS[1], ARGV[1]) or now)
if ends + tonumber(ARGV[2]) >= now then
  return 0
end
redis.call("ZADD", KEYS[1], 0, ARGV[1])
return 1
