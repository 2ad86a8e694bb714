-- Adds a nickname of a player with its MAC, unless its number is taken.
--
-- KEYS  1 the nicknames by number    2 their MACs by number, apart, because older releases count the nicknames
-- ARGV  1 the number    2 the nickname    3 the MAC, "" for none
--
-- Returns whether it was added.

if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then
  return 0
end
if ARGV[3] ~= "" then
  redis.call("HSET", KEYS[2], ARGV[1], ARGV[3])
end
return redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
