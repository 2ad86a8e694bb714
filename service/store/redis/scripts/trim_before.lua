-- Deletes the entries of a stream before a version.
--
-- KEYS  1 the stream
-- ARGV  1 the version

return redis.call("XTRIM", KEYS[1], "MINID", ARGV[1] .. "-0")
