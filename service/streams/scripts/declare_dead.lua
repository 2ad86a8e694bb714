-- Declares a process dead whose lease has ended for some time, so that it cannot renew it any more under its id.
--
-- KEYS  1 the processes, by the moment when their lease ends, 0 for those declared dead
-- ARGV  1 the process    2 for how many milliseconds its lease must have ended
--
-- Returns whether the process is declared dead.

local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ends = tonumber(redis.call("ZSCORE", KEYS[1], ARGV[1]) or now)
if ends + tonumber(ARGV[2]) >= now then
  return 0
end
redis.call("ZADD", KEYS[1], 0, ARGV[1])
return 1
