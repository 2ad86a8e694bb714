-- Changes the correction of the store's clock, unless another process has changed it in the meantime.
--
-- KEYS  1 the clock
-- ARGV  1 the correction that the process expects    2 the new correction, both in milliseconds
--
-- Returns whether it was changed.

if tonumber(redis.call("HGET", KEYS[1], "correction") or 0) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call("HSET", KEYS[1], "correction", ARGV[2])
return 1
