-- Extends a claim, unless the room's due time has changed in the meantime.
--
-- KEYS  1 the partition's due set
-- ARGV  1 the room, <name>:<epoch>    2 the end of the claim    3 its new end

local due = redis.call("ZSCORE", KEYS[1], ARGV[1])
if not due or tonumber(due) ~= tonumber(ARGV[2]) then
  return 0
end
redis.call("ZADD", KEYS[1], ARGV[3], ARGV[1])
return 1
