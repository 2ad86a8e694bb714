-- Sets when an owner's webhooks are due again, or at once if there is news that the caller has not seen.
--
-- KEYS  1 the due set of webhooks    2 the head of the stream of the webhooks    3 the head of the owner's stream
-- ARGV  1 the webhooks as a member of the due set    2 the version of KEYS[2] that the caller has seen
--       3 that of KEYS[3]    4 the due time, "none" to remove them

local function version(key)
  return string.match(redis.call("GET", key) or "0", "^%d+")
end

if version(KEYS[2]) ~= ARGV[2] or version(KEYS[3]) ~= ARGV[3] then
  redis.call("ZADD", KEYS[1], 0, ARGV[1])
elseif ARGV[4] == "none" then
  redis.call("ZREM", KEYS[1], ARGV[1])
else
  redis.call("ZADD", KEYS[1], ARGV[4], ARGV[1])
end
return 1
