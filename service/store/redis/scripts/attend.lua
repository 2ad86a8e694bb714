-- Stores who is in a room through one process, and notifies all subscribers.
--
-- KEYS  1 the room's presence      2 the channel of the room's chat and presence
-- ARGV  1 the process    2 who is there, "" for no one    3 PUBLISH or SPUBLISH
--       4 an earlier id of the process, whose data are deleted, or ""
--
-- Returns every process, each followed by who is there through it.

if ARGV[4] ~= "" then
  redis.call("HDEL", KEYS[1], ARGV[4])
end
if ARGV[2] == "" then
  redis.call("HDEL", KEYS[1], ARGV[1])
else
  redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
end
redis.pcall(ARGV[3], KEYS[2], "a" .. ARGV[1])
return redis.call("HGETALL", KEYS[1])
