-- Notes that a worker runs, and the time before as an outage if nobody said so for long.
--
-- KEYS  1 the latest beat    2 the outages, newest first
-- ARGV  1 how many milliseconds of silence are none yet    2 how many outages are kept
--
-- Returns the beat and the outages ("<since> <until>").

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call("GET", KEYS[1]) or now)
if now - last > tonumber(ARGV[1]) then
  redis.call("LPUSH", KEYS[2], string.format("%d %d", last, now))
  redis.call("LTRIM", KEYS[2], 0, tonumber(ARGV[2]) - 1)
end
local beat = string.format("%d", math.max(now, last))
redis.call("SET", KEYS[1], beat)
return { beat, redis.call("LRANGE", KEYS[2], 0, -1) }
