-- KEYS: the cells, and the list.
-- ARGV: the name of the sequence, the most names.
-- Answers with the value of the cell, and the names.
return { redis.call('HGET', KEYS[1], ARGV[4]) or '', redis.call('LRANGE', KEYS[2], 0, tonumber(ARGV[5]) - 1) }
