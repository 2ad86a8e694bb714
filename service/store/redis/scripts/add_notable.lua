-- Adds matches to boards of notable matches, of which the best few are kept.
--
-- KEYS  the board of each match
-- ARGV  1 how many matches a board keeps    then for each match: its negative score, its id, when the board may be
--       deleted, in milliseconds, "" for never

for i, board in ipairs(KEYS) do
  local at = 3 * i - 1
  redis.call("ZADD", board, ARGV[at], ARGV[at + 1])
  redis.call("ZREMRANGEBYRANK", board, ARGV[1], -1)
  if ARGV[at + 2] ~= "" then
    redis.call("PEXPIREAT", board, ARGV[at + 2])
  end
end
return 1
