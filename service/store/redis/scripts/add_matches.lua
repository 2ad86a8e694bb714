-- Adds matches to the index of a player, and counts their results; those that are in it already are left out.
--
-- KEYS  1 the matches by the time of their end    2 the results: by name the numbers of wins, draws and losses of all
--       matches and of the public ones; under "." the time of the first public match
-- ARGV  for each match: its id, the time of its end, the match as JSON, "1" if it is public,
--       how many results follow, for each: its name, and 0 for a win, 1 for a draw, 2 for a loss
--
-- Returns how many matches were added.

local function is_known(match, ended)
  local start = '["' .. match .. '"'
  for _, other in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], ended, ended)) do
    if string.sub(other, 1, #start) == start then
      return true
    end
  end
  return false
end

local function count(name, outcome, is_public)
  local numbers = {}
  for number in string.gmatch(redis.call("HGET", KEYS[2], name) or "0 0 0 0 0 0", "%d+") do
    numbers[#numbers + 1] = tonumber(number)
  end
  numbers[outcome + 1] = numbers[outcome + 1] + 1
  if is_public then
    numbers[outcome + 4] = numbers[outcome + 4] + 1
  end
  redis.call("HSET", KEYS[2], name, table.concat(numbers, " "))
end

local added, at = 0, 1
while at <= #ARGV do
  local ended, is_public, after = ARGV[at + 1], ARGV[at + 3] == "1", at + 5 + 2 * tonumber(ARGV[at + 4])
  if not is_known(ARGV[at], ended) then
    added = added + 1
    redis.call("ZADD", KEYS[1], ended, ARGV[at + 2])
    for i = at + 5, after - 1, 2 do
      count(ARGV[i], tonumber(ARGV[i + 1]), is_public)
    end
    local first = redis.call("HGET", KEYS[2], ".")
    if is_public and (not first or tonumber(ended) < tonumber(first)) then
      redis.call("HSET", KEYS[2], ".", ended)
    end
  end
  at = after
end
return added
