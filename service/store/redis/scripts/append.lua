-- Appends the events of one command to a stream, together with every projection that changes with them.
-- All or nothing: everything that can be rejected is rejected before the first write.
--
-- KEYS  1 the stream, also the name of its channel    2 its head            3 the pointer under its name
--       4 its due set    5 the lobby's order, also the name of its channel    6 the lobby's entries
--       7 its index    8 the partition's closed streams    9 how many entries were ever appended to the partition
--       10 the partition's outbox    11 the due set of the outbox    12 of a player the due set of what its events wake, else when turns are read
-- ARGV  1 PUBLISH or SPUBLISH    2 the stream as a member    3 its epoch    4 what its events wake, as a member
--       5 the head that the writer expects, "" for a stream without entries
--       6 the MAC of the last event, "" for none
--       7 the number of events; then each one's version, data and digest
--       and only as far as there is more:
--       1 what is to be delivered to other streams, "" for nothing
--       2 the time at which the turns in the room have to be read for that, "" for in any case
--       3 due: a time, "none" (removed) or "" (unchanged)
--       4 what the events wake becomes due, unless it is until this time; of a room until when its turns are read;
--         "" if not
--       5 the name: "claim", "free" or "" (unchanged)
--       6 lobby: when it opened, in 16 digits, "none" or ""    7 the lobby entry
--       8 each index entry's number and data
--
-- Returns 1 if written, 0 if another stream has the name, else the actual head as a string ("" without entries).

local head = redis.call("GET", KEYS[2]) or ""
local rest = 8 + 3 * ARGV[7]
local deliveries, read, due, wakes, name, opened, card = unpack(ARGV, rest, rest + 6)
if name == "claim" and redis.call("EXISTS", KEYS[3]) == 1 then
  return 0
end
if head ~= ARGV[5] then
  return head
end

if rest > 8 then
  redis.call("INCRBY", KEYS[9], ARGV[7]) -- first, because it fails if the counter is damaged
end
for i = 8, rest - 1, 3 do
  if i == rest - 3 and ARGV[6] ~= "" then
    redis.call("XADD", KEYS[1], ARGV[i] .. "-0", "e", ARGV[i + 1], "d", ARGV[i + 2], "m", ARGV[6])
  else
    redis.call("XADD", KEYS[1], ARGV[i] .. "-0", "e", ARGV[i + 1], "d", ARGV[i + 2])
  end
end
local version = rest > 8 and ARGV[rest - 3]
if version then
  redis.call("SET", KEYS[2], version .. " " .. ARGV[rest - 1])
end

for i = rest + 7, #ARGV, 2 do
  redis.call("HSET", KEYS[7], ARGV[i], ARGV[i + 1])
end

if name == "claim" then
  redis.call("SET", KEYS[3], ARGV[3])
elseif name == "free" and redis.call("GET", KEYS[3]) == ARGV[3] then
  redis.call("DEL", KEYS[3])
  local time = redis.call("TIME")
  redis.call("ZADD", KEYS[8], string.format("%d", time[1] * 1000 + math.floor(time[2] / 1000)), ARGV[2])
end

if due == "none" then
  redis.call("ZREM", KEYS[4], ARGV[2])
elseif due and due ~= "" then
  redis.call("ZADD", KEYS[4], due, ARGV[2])
end

if wakes and wakes ~= "" and ARGV[4] == "" then
  redis.call("ZADD", KEYS[12], "GT", wakes, ARGV[2])
elseif wakes and wakes ~= "" then
  -- Only what is active has a due time. One that is nearer may be a claim, whose holder sees the new head.
  local at = redis.call("ZSCORE", KEYS[12], ARGV[4])
  if at and tonumber(at) > tonumber(wakes) then
    redis.call("ZADD", KEYS[12], 0, ARGV[4])
  end
end

if deliveries and deliveries ~= ""
  and (read == "" or tonumber(redis.call("ZSCORE", KEYS[12], ARGV[2]) or 0) >= tonumber(read)) then
  local at = version or string.match(head, "^%d+")
  redis.call("XADD", KEYS[10], "*", "s", ARGV[2], "v", at, "d", deliveries)
  redis.call("ZADD", KEYS[11], "NX", 0, "outbox/")
end

if opened and opened ~= "" then
  local shown = opened ~= "none" and opened .. card
  -- An entry begins with the 16 digits of its member in the order, so that the member can be found from the entry.
  local before = redis.call("HGET", KEYS[6], ARGV[2])
  local place = before and string.sub(before, 1, 16)
  if place and place ~= opened then
    redis.call("ZREM", KEYS[5], place .. ":" .. ARGV[2])
  end
  if not shown then
    redis.call("HDEL", KEYS[6], ARGV[2])
  else
    redis.call("ZADD", KEYS[5], 0, opened .. ":" .. ARGV[2])
    redis.call("HSET", KEYS[6], ARGV[2], shown)
  end
  if shown ~= before then
    redis.pcall(ARGV[1], KEYS[5], ARGV[2] .. " " .. (shown and card or ""))
  end
end

if version then
  -- A notification may be lost, so a user without the right to publish must not break an append in the middle.
  redis.pcall(ARGV[1], KEYS[1], version)
end
return 1
