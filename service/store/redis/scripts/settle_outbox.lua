-- Removes a partition's outbox from the due set, unless there is something to deliver.
--
-- KEYS  1 the outbox    2 the partition's due set
-- ARGV  1 the outbox as a member of the due set
--
-- Returns whether the outbox was empty.

if redis.call("XLEN", KEYS[1]) > 0 then
  return 0
end
redis.call("ZREM", KEYS[2], ARGV[1])
return 1
