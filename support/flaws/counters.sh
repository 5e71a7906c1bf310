# shellcheck shell=bash
# Flaws of counters; see check-flaws.sh. What the kit of counters notices in memory it notices in every store.

backend counters support/feedkit-testkit 'io/feedkit/testkit/**/*Test'
core=feedkit-core/src/main/java/io/feedkit

if flaw clear-swallows InMemoryCounterStoreCompatibilityTest; then
    # A mark rises to all there is, whatever was shown.
    replace "$core/spi/counter/CounterWrites.java" 'Math.max(before, Math.min(bound, sum))' 'Math.max(before, bound)'
    caught
fi

if flaw mark-beyond-sequence InMemoryCounterStoreCompatibilityTest; then
    # What is retracted may be more than there is, so that what comes next does not count.
    replace "$core/spi/counter/CounterWrites.java" 'Math.max(before, Math.min(bound, sum))' 'Math.max(before, sum)'
    caught
fi

if flaw operation-twice InMemoryCounterStoreCompatibilityTest; then
    # Only the first operation of an owner is done once.
    replace "$core/memory/InMemoryCounterStore.java" \
        '&& numbers.operations.containsKey(' \
        '&& numbers.operations.size() < 2 && numbers.operations.containsKey('
    caught
fi

if flaw ticket-twice InMemoryCounterStoreCompatibilityTest; then
    # A ticket may be redeemed again, so that a like that is finished by two calls counts twice.
    replace "$core/memory/InMemoryCounterStore.java" \
        'numbers.tickets.remove(redemption.ticket()) != null' \
        'numbers.tickets.containsKey(redemption.ticket())'
    caught
fi

if flaw holes-below-mark InMemoryCounterStoreCompatibilityTest; then
    # Messages that were taken back count as unread ones less, also if they were read.
    replace "$core/memory/InMemoryCounterStore.java" \
        'member.number() > mark.getAsLong()' \
        'member.number() > 0'
    caught
fi

backend behind feedkit-examples 'io/feedkit/examples/counters/*Test'
jdbc=feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter
late=feedkit-redis/src/main/java/io/feedkit/redis/internal/writebehind
lua=feedkit-redis/src/main/resources/feedkit-redis/writebehind

if flaw written-over WriteBehindTest; then
    # A flush writes also where another one wrote since it looked.
    replace "$jdbc/WriteBehindTable.java" \
        'each != null && row.written().equals(each.written())' \
        'each != null'
    caught
fi

if flaw row-taken-for-another WriteBehindTest; then
    # Rows that no cache wrote to are all called the same.
    replace "$jdbc/WriteBehindTable.java" 'UUID.randomUUID().toString().replace("-", "")' '"unnamed"'
    caught
fi

if flaw written-again WriteBehindTest; then
    # A flush that is repeated adds everything again.
    replace "$jdbc/UnwrittenChanges.java" \
        'change.version() >= written.version() ? change.amount() - written.amount() : 0' \
        'change.amount()'
    caught
fi

if flaw copy-behind-believed WriteBehindTest; then
    # What a replica that was behind holds takes the place of what was written.
    replace "$jdbc/UnwrittenChanges.java" \
        'change.version() >= written.version() ? change.amount() - written.amount() : 0' \
        'change.amount() - written.amount()'
    caught
fi

if flaw claim-not-noted WriteBehindTest; then
    # A flush does not note in Redis that it read.
    replace "$lua/claim.lua" \
        "redis.call('HINCRBY', held, 'n' .. name, 1)" \
        "tonumber(redis.call('HGET', held, 'n' .. name) or 0) + 1"
    caught
fi

if flaw change-during-flush-lost WriteBehindTest; then
    # What changed while it was written counts as written.
    replace "$lua/written.lua" 'if isAs(held, unpack(ARGV, first, first + 4)) then' 'if true then'
    caught
fi

if flaw late-expires WriteBehindTest; then
    # What is late again keeps the expiry that it had.
    replace "$lua/common.lua" "        redis.call('PERSIST', held)
" ''
    caught
fi

if flaw forgotten-comes-back WriteBehindTest; then
    # What Redis holds of a user who is forgotten is written all the same.
    replace "$late/WriteBehindCounters.java" \
        'cache.forget(owners.stream()
                .filter(WriteBehindCounters::mayBePending)
                .distinct()
                .toList());' \
        ''
    caught
fi

if flaw flusher-dies WriteBehindTest; then
    # Anything but the library's own exceptions ends the flushing thread.
    replace "$late/FlushLoop.java" \
        'catch (Throwable e)' \
        'catch (io.feedkit.FeedKitException e)'
    caught
fi
