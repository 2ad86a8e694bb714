-- Reads one partition's part of the lobby, newest room first.
--
-- KEYS  1 the lobby's order    2 the lobby's cards
-- ARGV  1 where to begin, as a bound of ZREVRANGEBYLEX    2 how many
--
-- Returns the places (<opened>:<name>:<epoch>), each followed by its card (which begins with the 16 digits again).

local page = {}
for _, place in ipairs(redis.call("ZREVRANGEBYLEX", KEYS[1], ARGV[1], "-", "LIMIT", 0, ARGV[2])) do
  page[#page + 1] = place
  page[#page + 1] = redis.call("HGET", KEYS[2], string.sub(place, 18))
end
return page
