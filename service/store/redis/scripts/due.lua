-- Finds rooms that are due.
--
-- KEYS  due sets, of one partition in a cluster
-- ARGV  1 now    2 the maximum number of rooms per set
--
-- Returns the index of the key (from 0), the due time and the member of each.

local found = {}
for number, key in ipairs(KEYS) do
  local due = redis.call("ZRANGEBYSCORE", key, "-inf", ARGV[1], "WITHSCORES", "LIMIT", 0, ARGV[2])
  for i = 1, #due, 2 do
    found[#found + 1] = {number - 1, due[i + 1], due[i]}
  end
end
return found
