-- KEYS: marks. ARGV: time, positions. Answers with the number of marks that rose.
local rose = 0
for i, key in ipairs(KEYS) do
    local mark = redis.call('GET', key)
    if mark and mark:sub(1, 1) ~= '\1' then
        error('FEEDKITFORMAT not a mark of version 1: ' .. key)
    end
    if not mark or compare(ARGV[i + 1], mark:sub(2)) > 0 then
        redis.call('SET', key, '\1' .. ARGV[i + 1])
        rose = rose + 1
    end
end
return rose
