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

if flaw mark-of-nothing InMemoryCounterStoreCompatibilityTest; then
    # Clearing a type that was never counted leaves a cell.
    replace "$core/spi/counter/CounterWrites.java" 'mark.isEmpty() && sequence.isPresent() && count <= 0' 'false'
    caught
fi

if flaw operation-twice InMemoryCounterStoreCompatibilityTest; then
    # Only the first operation of an owner is done once.
    replace "$core/memory/OwnerNumbers.java" \
        'return operation != null && operation.until() > now;' \
        'return operation != null && operation.until() > now && operations.size() < 2;'
    caught
fi

if flaw ticket-twice InMemoryCounterStoreCompatibilityTest; then
    # A ticket may be redeemed again, so that a like that is finished by two calls counts twice.
    replace "$core/memory/InMemoryCounterStore.java" \
        'Long until = numbers.tickets.remove(redemption.ticket());' \
        'Long until = numbers.tickets.get(redemption.ticket());'
    caught
fi

if flaw seen-taken-back InMemoryCounterStoreCompatibilityTest; then
    # An operation that was seen lowers the count of those that were not.
    replace "$core/spi/counter/CounterReads.java" 'end > count || end <= mark.orElse(0)' 'end > count'
    replace "$core/spi/counter/Gaps.java" 'if (gap.end() > mark) {' 'if (true) {'
    replace "$core/spi/counter/Gaps.java" 'Math.min(gap.amount(), gap.end() - mark)' 'gap.amount()'
    replace "$core/spi/counter/CounterReads.java" 'gaps = gaps.above(mark.orElse(0));' ''
    caught
fi

if flaw taken-back-twice InMemoryCounterStoreCompatibilityTest; then
    # A delete that is delivered twice takes two.
    replace "$core/memory/InMemoryCounterStore.java" \
        'numbers.operations.put(done, known.retracted());' ''
    caught
fi

if flaw late-add-counts InMemoryCounterStoreCompatibilityTest; then
    # An add that comes after its delete counts.
    replace "$core/memory/InMemoryCounterStore.java" \
        'if (known == null || known.until() <= now) {' 'if (known == null) {
        } else if (known.until() <= now) {'
    caught
fi

if flaw mark-moves-for-gap InMemoryCounterStoreCompatibilityTest; then
    # What is taken back raises the mark, so what was shown before it does not clear.
    replace "$core/spi/counter/CounterReads.java" \
        ': new Cell(count, mark, gaps.with(new Gaps.Gap(end, amount)));' \
        ': new Cell(count, OptionalLong.of(mark.orElse(0) + amount), gaps);'
    caught
fi

if flaw forgotten-taken-back InMemoryCounterStoreCompatibilityTest; then
    # Operations from before a user was forgotten are taken back of what came later.
    replace "$core/memory/OwnerNumbers.java" \
        'operations.replaceAll((done, operation) -> operation.retracted());' ''
    caught
fi

if flaw ahead-forever InMemoryCounterStoreCompatibilityTest; then
    # A view of a clock that was ahead keeps a user's views from counting.
    replace "$core/spi/counter/CounterWrites.java" 'number >= from.getAsLong()' 'false'
    caught
fi

if flaw last-number-twice InMemoryCounterStoreCompatibilityTest; then
    # All messages after the last number have that number.
    replace "$core/unread/Conversations.java" 'added.outcome() == Outcome.OVERFLOW' 'false'
    caught
fi

if flaw holes-below-mark InMemoryCounterStoreCompatibilityTest; then
    # Messages that were taken back count as unread ones less, also if they were read.
    replace "$core/memory/InMemoryCounterStore.java" \
        'member.number() > mark.getAsLong()' \
        'member.number() > 0'
    caught
fi

if flaw half-done-unnoticed InMemoryCounterStoreCompatibilityTest; then
    # A call that failed after its first step says that nothing was done.
    replace "$core/internal/counter/SeveralSteps.java" \
        'steps.changed ? new OutcomeUnknownException(operation, e) : e' 'e'
    caught
fi

if flaw dropped-but-listed InMemoryCounterStoreCompatibilityTest; then
    # A like that ends after its post was dropped leaves its user in a list.
    replace "$core/memory/InMemoryCounterStore.java" 'if (open && holds) {' 'if (open) {'
    caught
fi

if flaw liker-list-grows InMemoryCounterStoreCompatibilityTest; then
    # The list of a post's newest users grows with its likes.
    replace "$core/memory/OwnerNumbers.java" 'names.size() - listing.kept()' '0'
    caught
fi

if flaw unliker-in-list InMemoryCounterStoreCompatibilityTest; then
    # A user who took the like back keeps the place in the list, which then seems to be complete.
    replace "$core/memory/OwnerNumbers.java" 'names.remove(listing.name());' ''
    caught
fi

if flaw list-always-complete InMemoryCounterStoreCompatibilityTest; then
    # A list that lost older users claims to have all.
    replace "$core/counter/ReactionTurns.java" 'reacted.size() >= newest.count()' 'true'
    caught
fi

if flaw cut-off-unlike-shown InMemoryCounterStoreCompatibilityTest; then
    # The newest users are shown as the post has them, also those who took the like back.
    replace "$core/counter/ReactionTurns.java" '.filter(choice::equals)' '.or(() -> Optional.of(choice))'
    caught
fi

if flaw like-new-twice InMemoryCounterStoreCompatibilityTest; then
    # Every call that finds a like half-done reports it as new.
    replace "$core/counter/ReactionTurns.java" 'if (redeemed.get(next++)' 'if (next++ >= 0'
    caught
fi

if flaw choice-before-counts InMemoryCounterStoreCompatibilityTest; then
    # A changed choice leaves the count of the choice before.
    replace "$core/spi/counter/ReactionLabel.java" 'other, Optional.of(choice)' 'other, Optional.empty()'
    caught
fi

if flaw dropped-post-on-page InMemoryCounterStoreCompatibilityTest; then
    # The pages of a user have posts that were dropped.
    replace "$core/counter/ReactionTurns.java" \
        'if (choice(Optional.of(shown.get(i)), incarnations.get(i).count()).isPresent()) {' 'if (i >= 0) {'
    caught
fi

if flaw long-id-cut InMemoryCounterStoreCompatibilityTest; then
    # Of the long id of an operation only the beginning counts.
    replace "$core/internal/counter/OperationIds.java" 'return HASHED + hash(id);' \
        'return id.substring(0, Ids.MAX_LENGTH);'
    caught
fi

if flaw announcement-after-end InMemoryCounterStoreCompatibilityTest; then
    # An announcement counts after its end.
    replace "$core/unread/Announcements.java" ' && end(each) > now' ''
    caught
fi

if flaw announcement-kept InMemoryCounterStoreCompatibilityTest; then
    # Announcements that ended stay in the list.
    replace "$core/unread/Announcements.java" 'if (!ended.isEmpty()) {' 'if (ended.size() < 0) {'
    caught
fi

if flaw announcement-seen-counts InMemoryCounterStoreCompatibilityTest; then
    # If one since the mark is gone, one before the mark counts instead.
    replace "$core/unread/Announcements.java" 'each.number() > mark && ' ''
    caught
fi

if flaw dropped-stays InMemoryCounterStoreCompatibilityTest; then
    # A drop leaves what an earlier one left that was cut off.
    replace "$core/counter/Posts.java" 'Long.parseLong(parts[1]) < incarnation' 'Long.parseLong(parts[1]) == incarnation - 1'
    caught
fi

if flaw list-of-lost InMemoryCounterStoreCompatibilityTest; then
    # A list of users counts those whose reactions were lost.
    replace "$core/counter/ReactionTurns.java" 'reacted.size() >= newest.count()' 'users.size() >= newest.count()'
    caught
fi

backend in-sql feedkit-jdbc 'io/feedkit/jdbc/Counter*Test'

if flaw kept-as-read JdbcCounterStoreCompatibilityTest; then
    # An operation is forgotten when the store that asks would forget it.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/CellWrites.java \
        'return now + rememberedMillis;' 'return now;'
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/CellWrites.java \
        'private static boolean isRemembered(@Nullable State state, long now) {
        return state != null && state.until() > now;' \
        'private boolean isRemembered(@Nullable State state, long now) {
        return state != null && state.until() > now - rememberedMillis;'
    caught
fi

if flaw autocommit-accepted CountersInTransactionTest; then
    # Counters join a connection on which each statement is a transaction of its own.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/sql/HostConnections.java \
        'if (connection.getAutoCommit()) {' \
        'if (connection.getAutoCommit() && operation.startsWith("outbox")) {'
    caught
fi

if flaw liker-rows-grow JdbcCounterStoreCompatibilityTest; then
    # The rows of a post's newest users grow with its likes.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/NewestTable.java \
        'if (place / step != before.getOrDefault(key, 0L) / step) {' 'if (place / step < 0) {'
    caught
fi

if flaw lists-one-by-one CounterNewestTest; then
    # Each change of a list is a group of statements.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/NewestTable.java \
        'int wave = before == null || entry.isAlike(before) ? present : present + 1;' \
        'int wave = before == null ? waves.size() : present + 1;'
    caught
fi

if flaw drop-does-not-wait CountersInTransactionTest; then
    # The first like of a post does not make a drop wait for its transaction.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/CounterTransactions.java 'found.keySet().containsAll(counts) ? counts : all' 'counts'
    caught
fi

if flaw ticket-number-twice TicketTableTest; then
    # A ticket has a number that another process uses.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/TicketTable.java \
        'if (inserted[i] == 0) {' 'if (inserted[i] < 0) {'
    caught
fi

if flaw window-too-long JdbcCounterSettingsTest; then
    # Views in a window that is longer than they are kept count twice.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/JdbcCounterStore.java \
        'return counters.viewsKept();' 'return Optional.empty();'
    caught
fi

if flaw list-counted-each-time CounterNewestTest; then
    # Each like on a full list reads all of it.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/NewestTable.java \
        'int step = Math.max(1, kept / SURPLUS);' 'int step = 1;'
    caught
fi

if flaw kinds-on-one-page JdbcCounterStoreCompatibilityTest; then
    # The page of a kind has posts of others.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/CounterReader.java \
        '.bind("to", page.prefix() + AFTER_ALL)' '.bind("to", AFTER_ALL)'
    caught
fi

if flaw expired-rows-stay CounterMaintenanceTest; then
    # A store removes nothing unless it is told to.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/JdbcCounterStore.java \
        'new Maintenance(jobs, settings.maintenanceInterval,' 'new Maintenance(jobs, Duration.ZERO,'
    caught
fi

if flaw mark-of-zero-removed CounterMaintenanceTest; then
    # A mark at zero is removed as a row of zeros.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/CellTable.java \
        'IS_ZERO = "total = 0 AND mark IS NULL' 'IS_ZERO = "total = 0'
    caught
fi

if flaw lock-of-set-removed CounterMaintenanceTest; then
    # The row that locks a set is removed while the set has members.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/ZeroCleanup.java \
        "(name <> '' OR " "(name = name OR "
    caught
fi

if flaw cleanup-starts-over CounterMaintenanceTest; then
    # Each search for old views begins with the first rows.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/ViewCleanup.java \
        'place.set(Optional.of(page.last()));' 'place.set(Optional.of(START));'
    caught
fi

if flaw cleanup-never-rests CounterMaintenanceTest; then
    # The rows are walked through again and again, though there is nothing to remove.
    replace feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter/CleanupRest.java \
        'until = now + restMillis;' 'until = now;'
    caught
fi

backend in-redis feedkit-redis 'io/feedkit/redis/*Counter*Test'
redis=feedkit-redis/src/main

if flaw like-expires RedisCounterExpiryTest; then
    # The likes of a user who is idle expire, and their counts stay.
    replace "$redis/java/io/feedkit/redis/internal/counter/OwnerKind.java" 'case REACTIONS -> PAGED;' \
        'case REACTIONS -> OF_USER;'
    caught
fi

if flaw large-set-unordered RedisCounterStoreCompatibilityTest; then
    # The order of a large set begins with the member that made it large.
    replace "$redis/resources/feedkit-redis/counter/members.lua" 'for i = 1, #members, 2 do' 'for i = 1, 0, 2 do'
    caught
fi

if flaw order-keeps-removed RedisCounterStoreCompatibilityTest; then
    # What is removed from a large set stays in its order.
    replace "$redis/resources/feedkit-redis/counter/members.lua" \
        "    redis.call('HDEL', set, name)
    if order then" \
        "    redis.call('HDEL', set, name)
    if order and has(flags, 'c') then"
    caught
fi

if flaw repair-unwatched ReconcileOnRedisTest; then
    # A repair does not notice whom the count gained or lost since it began.
    replace "$redis/resources/feedkit-redis/counter/redeem.lua" \
        "redis.call('ZADD', once, 'NX', high >= 0 and -2 or -1, '\\3' .. user)" ''
    caught
fi

if flaw repair-of-another ReactionRecountTest; then
    # A repair goes on after another one of the same post began.
    replace "$redis/resources/feedkit-redis/counter/repair.lua" "watchOf(once) == '\\2' .. token" 'watchOf(once)'
    caught
fi

backend behind support/feedkit-tools 'io/feedkit/tools/counters/*Test'
jdbc=feedkit-jdbc/src/main/java/io/feedkit/jdbc/internal/counter
late=feedkit-redis/src/main/java/io/feedkit/redis/internal/writebehind
lua=feedkit-redis/src/main/resources/feedkit-redis/writebehind

if flaw dead-with-redis DeadRedisTest; then
    # Reads and likes fail while Redis is dead.
    replace "$late/OwnedLink.java" 'failed(groups, e);' 'if (true) { throw e; }'
    caught
fi

if flaw closed-but-read DeadRedisTest; then
    # A closed store reads from SQL.
    replace "$late/OwnedLink.java" 'if (link.isClosed() || foreign.isPresent()) {' 'if (foreign.isPresent()) {'
    caught
fi

if flaw claimed-never StartWithoutRedisBehindTest; then
    # A process that started without Redis uses the changes there before it knows whose they are.
    replace "$late/OwnedLink.java" 'if (!claimed) {' 'if (false) {'
    caught
fi

if flaw outage-unsaid DeadRedisTest; then
    # The host does not see that unwritten changes are missing.
    replace "$late/OwnedLink.java" 'return claimed && unreachable.isEmpty();' 'return true;'
    caught
fi

if flaw hang-for-each-read DeadRedisTest; then
    # Every read waits for a Redis that hangs.
    replace "$late/OwnedLink.java" 'return failed == null || (' 'return failed == null || true || ('
    caught
fi

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
        'life.version() >= last.version() ? life.amount() - last.amount() : 0' \
        'life.amount()'
    caught
fi

if flaw copy-behind-believed WriteBehindTest; then
    # What a replica that was behind holds takes the place of what was written.
    replace "$jdbc/UnwrittenChanges.java" \
        'life.version() >= last.version() ? life.amount() - last.amount() : 0' \
        'life.amount() - last.amount()'
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
    replace "$lua/written.lua" 'if isAs(held, unpack(ARGV, first, first + 5)) then' 'if true then'
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
    replace "$late/WriteBehindCounters.java" 'cache.forget(dropped, false);' ''
    replace "$late/WriteBehindCounters.java" '() -> cache.forget(dropped, true)' '() -> {}'
    caught
fi

if flaw restored-added-to RestoredRedisTest; then
    # Adds at a server that came back from an older state go to a sum of which some is written.
    replace "$lua/add.lua" \
        "(redis.call('HGET', held, 'r' .. name) or '-') ~= server" \
        "redis.call('HEXISTS', held, 'i' .. name) == 0"
    caught
fi

if flaw restored-again RestoredRedisTest; then
    # What a server that came back from an older state once more holds is written again.
    replace "$jdbc/UnwrittenChanges.java" \
        'written.earlier().contains(life.name()) ? 0 : life.amount()' \
        'life.amount()'
    caught
fi

if flaw claimed-in-old-life RestoredRedisTest; then
    # A flush counts its claims on in a life of a server that is gone.
    replace "$lua/claim.lua" "if redis.call('HGET', held, 'r' .. name) ~= server
        or (here" "if (here"
    caught
fi

if flaw few-lives RestoredRedisTest; then
    # A row forgets lives that Redis still has.
    replace feedkit-core/src/main/java/io/feedkit/spi/counter/CounterSource.java 'EARLIER = 128' 'EARLIER = 16'
    caught
fi

if flaw clear-outlives-failed-forget WriteBehindTest; then
    # A mark that was raised while a forgetting failed stays.
    replace "$late/WriteBehindCounters.java" 'release(dropped, e);' ''
    caught
fi

if flaw clear-outlives-forgetter WriteBehindTest; then
    # A mark that was raised during a forgetting stays if its process has ended.
    replace "$lua/common.lua" 'if till > 0 and till <= now then' 'if false then'
    caught
fi

if flaw unwritten-is-flushed WriteBehindTest; then
    # A flush reports as written what it leaves out, because the user is being forgotten.
    replace "$late/ChangeFlusher.java" 'forgotten.addAll(done.forgotten());' ''
    caught
fi

if flaw outdated-life-again WriteBehindTest; then
    # A life that a row has left is written to it as its present one.
    replace "$lua/claim.lua" "or earlier:find(',' .. here .. ',', 1, true)" ''
    caught
fi

if flaw unwritten-life-lost RestoredRedisTest; then
    # What was not written when a server was replaced is lost, though the next server has it.
    replace "$lua/common.lua" \
        "if before and sum then" \
        "if false then"
    caught
fi

if flaw clear-outlives-forget WriteBehindTest; then
    # A mark that was computed before a user was forgotten is cached afterwards.
    replace "$lua/swap.lua" \
        "(redis.call('HGET', held, '@') or '') == ARGV[7 * step + 1]" \
        'true'
    caught
fi

if flaw clear-amid-forget WriteBehindTest; then
    # A mark that is raised while a user is being forgotten stays.
    replace "$late/WriteBehindCounters.java" '() -> cache.forget(dropped, true)' '() -> {}'
    caught
fi

if flaw flush-amid-forget WriteBehindTest; then
    # A mark that is raised while a user is being forgotten is written.
    replace "$lua/claim.lua" 'if isBeingForgotten(held) then' 'if false then'
    caught
fi

if flaw flusher-dies WriteBehindTest; then
    # Anything but the library's own exceptions ends the flushing thread.
    replace "$late/FlushLoop.java" \
        'catch (Throwable e)' \
        'catch (io.feedkit.FeedKitException e)'
    caught
fi

if flaw flush-too-early FlushTogetherTest; then
    # A flush leaves what another flush wrote first, though that one may have claimed it earlier.
    replace "$late/ChangeFlusher.java" 'left = done.left();' 'left = List.of();'
    caught
fi

if flaw half-forgotten HalfDoneBehindTest; then
    # A user who was forgotten in Redis, and not in SQL, was not touched.
    replace "$late/WriteBehindCounters.java" 'changed ? new OutcomeUnknownException(operation, e) : e' 'e'
    caught
fi

if flaw joined-without-redis InTransactionBehindTest; then
    # What clears a count in the host's transaction does not see what Redis holds.
    replace "$late/JoinedCounters.java" 'flusher.write(' 'java.util.Objects.hash('
    caught
fi

if flaw joined-forgets InTransactionBehindTest; then
    # A user is forgotten in the host's transaction, and the next flush writes the numbers again.
    replace "$late/JoinedCounters.java" \
        'if (owners.stream().anyMatch(WriteBehindCounters::mayBePending)) {' 'if (owners.isEmpty()) {'
    caught
fi

if flaw close-waits-for-ever CloseBehindTest; then
    # Closing waits for a flush however long it takes.
    replace "$late/FlushLoop.java" 'thread.join(closeMillis);' 'thread.join();'
    caught
fi
