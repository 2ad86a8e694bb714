-- Stores the service's time as a process reports it, and for a worker also its heartbeat. If no worker has reported for
-- too long, stores the time since then as an outage.
--
-- KEYS  1 the latest heartbeat of a worker    2 the outages, newest first    3 the clock
-- ARGV  1 the service's time    2 the wall clock of the process's machine
--       for a worker also 3 how many milliseconds of silence are not yet an outage    4 how many outages are kept
--
-- Returns the heartbeat and the outages ("<since> <until>").

local now = tonumber(ARGV[1])
if now >= tonumber(redis.call("HGET", KEYS[3], "latest") or now) then
  redis.call("HSET", KEYS[3], "latest", ARGV[1], "wall", ARGV[2])
end
local beat = redis.call("GET", KEYS[1])
if ARGV[3] then
  local last = tonumber(beat or now)
  if now - last > tonumber(ARGV[3]) then
    redis.call("LPUSH", KEYS[2], string.format("%d %d", last, now))
    redis.call("LTRIM", KEYS[2], 0, tonumber(ARGV[4]) - 1)
  end
  beat = string.format("%d", math.max(now, last))
  redis.call("SET", KEYS[1], beat)
end
return { beat, redis.call("LRANGE", KEYS[2], 0, -1) }
