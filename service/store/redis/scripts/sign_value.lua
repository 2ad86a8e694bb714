-- Stores the MAC of a protected value, unless the value has changed.
--
-- KEYS  1 the hash of the value    2 the hash of the MAC
-- ARGV  1 the field of the value    2 the value    3 the field of the MAC    4 the MAC

if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
return redis.call("HSET", KEYS[2], ARGV[3], ARGV[4])
