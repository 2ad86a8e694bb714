-- Appends the events of one command to a room's stream, together with every projection that changes with them.
-- All or nothing: whatever can be refused is refused before the first write.
--
-- KEYS  1 the stream, also the name of its channel    2 its head            3 the pointer under the room's name
--       4 the partition's due set    5 the lobby's order, also the name of its channel    6 the lobby's cards
--       7 the room's match index    8 the partition's closed rooms
-- ARGV  1 the head that the writer expects, "" for a stream not yet begun    2 the head after this batch
--       3 the version of the first event             4 the room as a member: <name>:<epoch>    5 its epoch
--       6 the name: "claim", "free" or "" (as it is) 7 due: a moment, "none" (take out) or "" (as it is)
--       8 lobby: when it opened, in 16 digits, "none" or ""    9 the lobby's card    10 PUBLISH or SPUBLISH
--       11 the number of match index entries; then each one's number and data; then each event's data and digest
--
-- Returns 1 when written, 0 when another room holds the name, else the true head as a string ("" when not begun).

local head = redis.call("GET", KEYS[2]) or ""
if ARGV[6] == "claim" and redis.call("EXISTS", KEYS[3]) == 1 then
  return 0
end
if head ~= ARGV[1] then
  return head
end

local next_argument = 12
for _ = 1, tonumber(ARGV[11]) do
  redis.call("HSET", KEYS[7], ARGV[next_argument], ARGV[next_argument + 1])
  next_argument = next_argument + 2
end

local version = tonumber(ARGV[3])
for i = next_argument, #ARGV, 2 do
  redis.call("XADD", KEYS[1], string.format("%d-0", version), "e", ARGV[i], "d", ARGV[i + 1])
  version = version + 1
end
local appended = version > tonumber(ARGV[3])
if appended then
  redis.call("SET", KEYS[2], ARGV[2])
end

if ARGV[6] == "claim" then
  redis.call("SET", KEYS[3], ARGV[5])
elseif ARGV[6] == "free" and redis.call("GET", KEYS[3]) == ARGV[5] then
  redis.call("DEL", KEYS[3])
  local time = redis.call("TIME")
  redis.call("ZADD", KEYS[8], string.format("%d", time[1] * 1000 + math.floor(time[2] / 1000)), ARGV[4])
end

if ARGV[7] == "none" then
  redis.call("ZREM", KEYS[4], ARGV[4])
elseif ARGV[7] ~= "" then
  redis.call("ZADD", KEYS[4], ARGV[7], ARGV[4])
end

if ARGV[8] ~= "" then
  local shown = ARGV[8] ~= "none" and ARGV[8] .. ARGV[9]
  -- A card begins with the 16 digits under which the order knows it, so that it can be found there again.
  local card = redis.call("HGET", KEYS[6], ARGV[4])
  local place = card and string.sub(card, 1, 16)
  if place and place ~= ARGV[8] then
    redis.call("ZREM", KEYS[5], place .. ":" .. ARGV[4])
  end
  if not shown then
    redis.call("HDEL", KEYS[6], ARGV[4])
  else
    redis.call("ZADD", KEYS[5], 0, ARGV[8] .. ":" .. ARGV[4])
    redis.call("HSET", KEYS[6], ARGV[4], shown)
  end
  if shown ~= card then
    redis.pcall(ARGV[10], KEYS[5], ARGV[4] .. " " .. (shown and ARGV[9] or ""))
  end
end

if appended then
  -- A notification may be lost, so a user without the right to publish must not break an append in the middle.
  redis.pcall(ARGV[10], KEYS[1], string.format("%d", version - 1))
end
return 1
