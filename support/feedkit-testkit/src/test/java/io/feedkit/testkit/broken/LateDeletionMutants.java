package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.broken.Parts.ARegister;
import io.feedkit.testkit.broken.Parts.AWriter;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Outboxes whose registers mistake when a deletion was made for when it was committed. */
final class LateDeletionMutants {

    static final List<Mutant> ALL = List.of(
            outbox(
                    "tells deletions by the highest number seen, though numbers are given before commits",
                    "Transactions.deleteCommittedLate",
                    (outbox, clock) -> new HighestNumber(outbox)),
            outbox(
                    "forgets a deletion by the time it was made, before its transaction committed",
                    "Transactions.deleteCommittedMuchLater",
                    (outbox, clock) -> new ForgettingEarly(outbox, clock)),
            outbox(
                    "tells deletions whose transactions are not committed",
                    "Transactions.deleteRolledBackLate",
                    (outbox, clock) -> new DirtyUpdates(outbox)));

    private LateDeletionMutants() {}

    /** An outbox that hears of a deletion when it is made, and may leave it out of updates, or add it. */
    private abstract static class Hearing extends AnOutbox {
        private final PulledRegister register;

        Hearing(TransactionalOutbox sound) {
            super(sound);
            register = new ARegister(sound.pulled()) {
                @Override
                public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
                    return Hearing.this.update(this.sound, since, authors, wholeUpTo);
                }
            };
        }

        abstract void made(PostKey key);

        abstract Update update(
                PulledRegister register, Optional<Moment> since, Collection<String> authors, int wholeUpTo);

        @Override
        public final List<Boolean> delete(List<PostKey> keys) {
            keys.forEach(this::made);
            return sound.delete(keys);
        }

        @Override
        public final OutboxWriter joining(PublishTransaction transaction) {
            return new AWriter(sound.joining(transaction)) {
                @Override
                public List<Boolean> delete(List<PostKey> keys) {
                    keys.forEach(Hearing.this::made);
                    return sound.delete(keys);
                }
            };
        }

        @Override
        public final PulledRegister pulled() {
            return register;
        }

        static Update with(Moment moment, Update update, Set<PostKey> retracting) {
            return new Update(moment, update.scope(), update.entries(), retracting, update.retracted());
        }
    }

    /** Numbers deletions as they are made, and goes on after the highest number that was visible. */
    private static final class HighestNumber extends Hearing {
        private final Map<PostKey, Long> numbers = new ConcurrentHashMap<>();
        private final AtomicLong last = new AtomicLong();

        private record Seen(Moment moment, long number) implements Moment {}

        HighestNumber(TransactionalOutbox sound) {
            super(sound);
        }

        @Override
        void made(PostKey key) {
            numbers.put(key, last.incrementAndGet());
        }

        @Override
        Update update(PulledRegister register, Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Optional<Seen> seen = since.map(Seen.class::cast);
            Update update = register.update(seen.map(Seen::moment), authors, wholeUpTo);
            long before = seen.map(Seen::number).orElse(0L);
            long highest = before;
            Set<PostKey> told = new HashSet<>();
            for (PostKey key : update.retracting()) {
                long number = numbers.getOrDefault(key, 0L);
                if (number > before || update.scope() != Scope.CHANGES) {
                    told.add(key);
                }
                highest = Math.max(highest, number);
            }
            return with(new Seen(update.moment(), highest), update, told);
        }
    }

    /** Remembers a deletion for a minute from when it was made. */
    private static final class ForgettingEarly extends Hearing {
        private final SettableClock clock;
        private final Map<PostKey, Long> made = new ConcurrentHashMap<>();

        ForgettingEarly(TransactionalOutbox sound, SettableClock clock) {
            super(sound);
            this.clock = clock;
        }

        @Override
        void made(PostKey key) {
            made.put(key, clock.millis());
        }

        @Override
        Update update(PulledRegister register, Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = register.update(since, authors, wholeUpTo);
            long oldest = clock.millis() - Duration.ofMinutes(1).toMillis();
            Set<PostKey> told = new HashSet<>(update.retracting());
            told.removeIf(key -> update.scope() == Scope.CHANGES && made.getOrDefault(key, oldest) < oldest);
            return with(update.moment(), update, told);
        }
    }

    /** Tells deletions as soon as they are made. */
    private static final class DirtyUpdates extends Hearing {
        private final Set<PostKey> made = ConcurrentHashMap.newKeySet();

        DirtyUpdates(TransactionalOutbox sound) {
            super(sound);
        }

        @Override
        void made(PostKey key) {
            made.add(key);
        }

        @Override
        Update update(PulledRegister register, Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = register.update(since, authors, wholeUpTo);
            Set<PostKey> told = new HashSet<>(update.retracting());
            told.addAll(made);
            return with(update.moment(), update, told);
        }
    }
}
