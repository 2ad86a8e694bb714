-- Reads the lobby entries of one partition, newest room first.
--
-- KEYS  1 the lobby's order    2 the lobby's entries
-- ARGV  1 the start, as a bound of ZREVRANGEBYLEX    2 how many
--
-- Returns the places (<opened>:<name>:<epoch>), each followed by its entry (which also begins with the 16 digits).

local page = {}
for _, place in ipairs(redis.call("ZREVRANGEBYLEX", KEYS[1], ARGV[1], "-", "LIMIT", 0, ARGV[2])) do
  page[#page + 1] = place
  page[#page + 1] = redis.call("HGET", KEYS[2], string.sub(place, 18))
end
return page
