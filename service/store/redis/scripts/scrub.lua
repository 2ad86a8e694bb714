-- Claims the check of all rooms, unless another process holds the claim or the next check is not due yet.
--
-- KEYS  1 the state of the check
-- ARGV  1 now    2 the end of the claim
--
-- Returns the cursor where the check continues ("" for the beginning), or nothing.

local ends = redis.call("HGET", KEYS[1], "until")
if ends and tonumber(ends) > tonumber(ARGV[1]) then
  return false
end
redis.call("HSET", KEYS[1], "until", ARGV[2])
return redis.call("HGET", KEYS[1], "cursor") or ""
