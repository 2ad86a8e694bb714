-- Claims rooms that are due: each is hidden from other claims by setting its due time to the end of the lease.
--
-- KEYS  1 the partition's due set
-- ARGV  1 now    2 the end of the lease    3... the rooms to claim, <name>:<epoch>
--
-- Returns those rooms that were still due.

local claimed = {}
for i = 3, #ARGV do
  local due = redis.call("ZSCORE", KEYS[1], ARGV[i])
  if due and tonumber(due) <= tonumber(ARGV[1]) then
    redis.call("ZADD", KEYS[1], ARGV[2], ARGV[i])
    claimed[#claimed + 1] = ARGV[i]
  end
end
return claimed
