package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.register;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.broken.Parts.ARegister;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Registers whose updates lack something, or tell what is over. */
final class RegisterUpdateMutants {

    private static final int SOME = 100;

    static final List<Mutant> ALL = List.of(
            updates(
                    "does not tell of removals",
                    "Updates.everyChange",
                    (asked, update) -> entries(
                            update,
                            (author, entry) ->
                                    entry.isPresent() || asked.authors().contains(author))),
            updates(
                    "does not tell of deletions",
                    "Updates.everyChange",
                    (asked, update) -> retracting(
                            update,
                            key -> update.scope() != Scope.CHANGES
                                    || asked.authors().contains(key.author()))),
            updates(
                    "does not tell of finished retractions",
                    "Updates.everyChange",
                    (asked, update) -> retracted(update, key -> false)),
            register(
                    "does not tell of a put that widens nothing",
                    "Updates.everyChange",
                    (register, clock) -> new NewsOnly(register)),
            register(
                    "tells an author's first state instead of the latest",
                    "Updates.latestState",
                    (register, clock) -> new FirstStates(register)),
            register(
                    "tells everything in every update",
                    "Updates.nothingChanged",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
                            Update whole = sound.update(Optional.empty(), authors, Integer.MAX_VALUE);
                            return since.isEmpty()
                                    ? sound.update(since, authors, wholeUpTo)
                                    : new Update(
                                            whole.moment(),
                                            Scope.CHANGES,
                                            whole.entries(),
                                            whole.retracting(),
                                            Set.of());
                        }
                    }),
            updates("tells only those authors that changed", "Updates.askedAuthors", (asked, update) -> {
                if (update.scope() != Scope.CHANGES) {
                    return update;
                }
                Update changes = asked.register().update(asked.since(), List.of(), asked.wholeUpTo());
                return new Update(
                        update.moment(), update.scope(), changes.entries(), update.retracting(), update.retracted());
            }),
            updates(
                    "does not tell that an author who was asked for is not registered",
                    "Updates.askedAuthors",
                    (asked, update) -> entries(
                            update,
                            (author, entry) ->
                                    entry.isPresent() || !asked.authors().contains(author))),
            updates(
                    "leaves out the posts being retracted of authors who were asked for",
                    "Updates.askedAuthors",
                    (asked, update) -> update.scope() == Scope.WHOLE
                            ? update
                            : retracting(update, key -> !asked.authors().contains(key.author()))),
            updates(
                    "takes authors for asked whose ids begin in the same way",
                    "Updates.awkwardAuthors",
                    (asked, update) -> {
                        Set<PostKey> more = new HashSet<>(update.retracting());
                        RegisterSnapshot.of(asked.register())
                                .about(author -> asked.authors().stream().anyMatch(author::startsWith))
                                .retracting()
                                .forEach(more::add);
                        return new Update(update.moment(), update.scope(), update.entries(), more, update.retracted());
                    }),
            updates("tells of more authors than were asked for", "Updates.wholeUpTo", (asked, update) -> {
                Update whole = asked.register().update(asked.since(), asked.authors(), Integer.MAX_VALUE);
                return new Update(
                        update.moment(), update.scope(), whole.entries(), update.retracting(), update.retracted());
            }),
            whole("takes a register for small that is one too large", (sound, wholeUpTo) -> wholeUpTo + 1),
            whole("takes a register for large that is just small enough", (sound, wholeUpTo) -> wholeUpTo - 1),
            whole(
                    "does not count the posts being retracted",
                    (sound, wholeUpTo) ->
                            RegisterSnapshot.of(sound).pulled().size() <= wholeUpTo ? Integer.MAX_VALUE : wholeUpTo),
            whole(
                    "does not count the entries",
                    (sound, wholeUpTo) ->
                            RegisterSnapshot.of(sound).retracting().size() <= wholeUpTo
                                    ? Integer.MAX_VALUE
                                    : wholeUpTo),
            updates(
                    "tells some of a large register as if they were all",
                    "Updates.manyAuthors",
                    (asked, update) -> update.scope() == Scope.WHOLE ? with(update, some(update.entries())) : update),
            updates(
                    "tells some of many changes as if they were all",
                    "Updates.manyChanges",
                    (asked, update) -> update.scope() == Scope.CHANGES ? with(update, some(update.entries())) : update),
            register(
                    "forgets old changes, and does not say so",
                    "Updates.longAgo",
                    (register, clock) -> new ForgettingByAge(register, clock)),
            register(
                    "tells a change to the first who asks only",
                    "Updates.twoPaces",
                    (register, clock) -> new TellingOnce(register)),
            register(
                    "goes on from the latest update, whoever asked for it",
                    "Updates.randomHistory",
                    (register, clock) -> new OneMoment(register)),
            register(
                    "dates an update later than it was taken",
                    "Concurrency.nothingMissed",
                    (register, clock) -> new LateMoments(register)),
            register(
                    "looks up entries before it collects the changes",
                    "Concurrency.nothingMissed",
                    (register, clock) -> new EarlyStates(register)));

    private RegisterUpdateMutants() {}

    /** What was asked, and of which sound register. */
    private record Asked(PulledRegister register, Optional<Moment> since, Collection<String> authors, int wholeUpTo) {}

    /** Makes a wrong answer of a right one. */
    private interface Answering {
        Update answer(Asked asked, Update update);
    }

    private interface Entries {
        boolean test(String author, Optional<Entry> entry);
    }

    private interface Size {
        int of(PulledRegister sound, int wholeUpTo);
    }

    private static Mutant updates(String name, String caughtBy, Answering answering) {
        return register(name, caughtBy, (register, clock) -> new ARegister(register) {
            @Override
            public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
                return answering.answer(
                        new Asked(sound, since, authors, wholeUpTo), sound.update(since, authors, wholeUpTo));
            }
        });
    }

    private static Mutant whole(String name, Size size) {
        return register(name, "Updates.wholeUpTo", (register, clock) -> new ARegister(register) {
            @Override
            public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
                boolean boundary = wholeUpTo > 0 && wholeUpTo < Integer.MAX_VALUE;
                return sound.update(since, authors, boundary ? size.of(sound, wholeUpTo) : wholeUpTo);
            }
        });
    }

    private static Update with(Update update, Map<String, Optional<Entry>> entries) {
        return new Update(update.moment(), update.scope(), entries, update.retracting(), update.retracted());
    }

    private static Update entries(Update update, Entries told) {
        Map<String, Optional<Entry>> entries = new HashMap<>(update.entries());
        entries.entrySet().removeIf(entry -> !told.test(entry.getKey(), entry.getValue()));
        return with(update, entries);
    }

    private static Update retracting(Update update, Predicate<PostKey> told) {
        return new Update(
                update.moment(), update.scope(), update.entries(), some(update.retracting(), told), update.retracted());
    }

    private static Update retracted(Update update, Predicate<PostKey> told) {
        return new Update(
                update.moment(), update.scope(), update.entries(), update.retracting(), some(update.retracted(), told));
    }

    private static Map<String, Optional<Entry>> some(Map<String, Optional<Entry>> entries) {
        Map<String, Optional<Entry>> some = new HashMap<>();
        entries.entrySet().stream().limit(SOME).forEach(entry -> some.put(entry.getKey(), entry.getValue()));
        return some;
    }

    private static Set<PostKey> some(Set<PostKey> keys, Predicate<PostKey> told) {
        Set<PostKey> some = new HashSet<>(keys);
        some.removeIf(told.negate());
        return some;
    }

    /** Does not note a put as a change unless it widens the author's entry. */
    private static final class NewsOnly extends ARegister {
        private final Set<String> nothingNew = ConcurrentHashMap.newKeySet();

        NewsOnly(PulledRegister sound) {
            super(sound);
        }

        @Override
        public void put(List<Post> unpushed) {
            for (Post post : unpushed) {
                Entry before = RegisterSnapshot.of(sound).pulled().get(post.author());
                boolean covered = before != null
                        && before.oldest().compareOf(post) >= 0
                        && before.newest().compareOf(post) <= 0;
                if (covered) {
                    nothingNew.add(post.author());
                } else {
                    nothingNew.remove(post.author());
                }
            }
            sound.put(unpushed);
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since, authors, wholeUpTo);
            return entries(update, (author, entry) -> update.scope() != Scope.CHANGES || !nothingNew.contains(author));
        }
    }

    /** Keeps an author's entry among the changes as it was when it came there. */
    private static final class FirstStates extends ARegister {
        private final Map<String, Optional<Entry>> first = new ConcurrentHashMap<>();

        FirstStates(PulledRegister sound) {
            super(sound);
        }

        @Override
        public void put(List<Post> unpushed) {
            sound.put(unpushed);
            RegisterSnapshot.of(sound)
                    .pulled()
                    .forEach((author, entry) -> first.putIfAbsent(author, Optional.of(entry)));
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since, authors, wholeUpTo);
            Map<String, Optional<Entry>> entries = new HashMap<>(update.entries());
            if (update.scope() == Scope.CHANGES) {
                entries.replaceAll((author, entry) -> first.getOrDefault(author, entry));
            }
            return with(update, entries);
        }
    }

    /** Forgets after a minute that an author was entered, and does not remember up to when it forgot. */
    private static final class ForgettingByAge extends ARegister {
        private final SettableClock clock;
        private final Map<String, Long> put = new ConcurrentHashMap<>();

        ForgettingByAge(PulledRegister sound, SettableClock clock) {
            super(sound);
            this.clock = clock;
        }

        @Override
        public void put(List<Post> unpushed) {
            unpushed.forEach(post -> put.put(post.author(), clock.millis()));
            sound.put(unpushed);
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since, authors, wholeUpTo);
            long oldest = clock.millis() - Duration.ofMinutes(1).toMillis();
            return entries(
                    update,
                    (author, entry) -> update.scope() != Scope.CHANGES
                            || authors.contains(author)
                            || put.getOrDefault(author, 0L) >= oldest);
        }
    }

    /** Takes a change off the list when it has been told. */
    private static final class TellingOnce extends ARegister {
        private final Set<Object> told = ConcurrentHashMap.newKeySet();

        TellingOnce(PulledRegister sound) {
            super(sound);
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since, authors, wholeUpTo);
            return update.scope() == Scope.CHANGES
                    ? retracting(entries(update, (author, entry) -> told.add(List.of(author, entry))), told::add)
                    : update;
        }
    }

    /** Remembers itself up to when it told its changes. */
    private static final class OneMoment extends ARegister {
        private final AtomicReference<Moment> latest = new AtomicReference<>();

        OneMoment(PulledRegister sound) {
            super(sound);
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since.isEmpty() ? since : Optional.of(latest.get()), authors, wholeUpTo);
            latest.set(update.moment());
            return update;
        }
    }

    /** Collects what changed, and then looks which moment it is. */
    private static final class LateMoments extends ARegister {
        private final Gap gap = new Gap();

        LateMoments(PulledRegister sound) {
            super(sound);
        }

        @Override
        public void put(List<Post> unpushed) {
            gap.awaitVictim();
            sound.put(unpushed);
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since, authors, wholeUpTo);
            gap.awaitRival(() -> !after(update).entries().isEmpty());
            return new Update(
                    after(update).moment(), update.scope(), update.entries(), update.retracting(), update.retracted());
        }

        private Update after(Update update) {
            return sound.update(Optional.of(update.moment()), List.of(), 0);
        }
    }

    /** Looks up entries, and then collects whose have changed. */
    private static final class EarlyStates extends ARegister {
        private final Gap gap = new Gap();

        EarlyStates(PulledRegister sound) {
            super(sound);
        }

        @Override
        public void put(List<Post> unpushed) {
            gap.awaitVictim();
            sound.put(unpushed);
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            RegisterSnapshot early = RegisterSnapshot.of(sound);
            gap.awaitRival(() -> !RegisterSnapshot.of(sound).pulled().equals(early.pulled()));
            Update update = sound.update(since, authors, wholeUpTo);
            Map<String, Optional<Entry>> entries = new HashMap<>(update.entries());
            entries.replaceAll(
                    (author, entry) -> Optional.ofNullable(early.pulled().get(author)));
            return with(update, entries);
        }
    }
}
