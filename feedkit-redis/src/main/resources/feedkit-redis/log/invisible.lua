-- ARGV: time. Answers when the oldest task was recorded whose post does not show yet, or 0.
return oldestInvisible() or 0
