-- Adds matches to boards of notable matches, of which the best few are kept.
--
-- KEYS  for each match its board, and the MACs of that board by match
-- ARGV  1 how many matches a board keeps    then for each match: its negative score, its id, its MAC ("" for none), when
--       the board may be deleted, in milliseconds, "" for never

for i = 1, #KEYS, 2 do
  local at = 2 * i
  redis.call("ZADD", KEYS[i], ARGV[at], ARGV[at + 1])
  if ARGV[at + 2] ~= "" then
    redis.call("HSET", KEYS[i + 1], ARGV[at + 1], ARGV[at + 2])
  end
  for _, match in ipairs(redis.call("ZRANGE", KEYS[i], ARGV[1], -1)) do
    redis.call("ZREM", KEYS[i], match)
    redis.call("HDEL", KEYS[i + 1], match)
  end
  if ARGV[at + 3] ~= "" then
    redis.call("PEXPIREAT", KEYS[i], ARGV[at + 3])
    redis.call("PEXPIREAT", KEYS[i + 1], ARGV[at + 3])
  end
end
return 1
