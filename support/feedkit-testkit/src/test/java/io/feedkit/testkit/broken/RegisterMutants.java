package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.register;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.broken.Parts.ARegister;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Registers that lose authors, or let readers believe what is over. */
final class RegisterMutants {

    static final List<Mutant> ALL = List.of(
            register("drops an author by age", "Entries.entriesLast", (register, clock) -> new ARegister(register) {
                private final Map<String, Long> put = new ConcurrentHashMap<>();

                @Override
                public void put(List<Post> unpushed) {
                    unpushed.forEach(post -> put.put(post.author(), clock.millis()));
                    sound.put(unpushed);
                }

                @Override
                public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
                    Update update = sound.update(since, authors, wholeUpTo);
                    Map<String, Optional<Entry>> young = new HashMap<>(update.entries());
                    long oldest = clock.millis() - Duration.ofDays(30).toMillis();
                    young.keySet().removeIf(author -> put.getOrDefault(author, 0L) < oldest);
                    return new Update(update.moment(), update.scope(), young, update.retracting(), update.retracted());
                }
            }),
            register(
                    "removes an author whatever the version",
                    "Entries.removeRefused",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public boolean remove(String author, long version) {
                            return sound.remove(author, versionOf(sound, author));
                        }
                    }),
            register(
                    "checks the version and removes in two steps",
                    "Concurrency.removeAndPut",
                    (register, clock) -> new ARegister(register) {
                        private final Gap gap = new Gap();

                        @Override
                        public boolean remove(String author, long version) {
                            if (versionOf(sound, author) != version) {
                                return false;
                            }
                            gap.awaitRival(() -> versionOf(sound, author) != version);
                            return sound.remove(author, versionOf(sound, author));
                        }

                        @Override
                        public void put(List<Post> unpushed) {
                            gap.awaitVictim();
                            sound.put(unpushed);
                        }
                    }),
            register(
                    "replaces an entry instead of widening it",
                    "Entries.putWidens",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public void put(List<Post> unpushed) {
                            unpushed.forEach(post -> sound.remove(post.author(), versionOf(sound, post.author())));
                            sound.put(unpushed);
                        }
                    }),
            register("widens an entry upwards only", "Entries.putWidens", (register, clock) -> new ARegister(register) {
                @Override
                public void put(List<Post> unpushed) {
                    for (Post post : unpushed) {
                        Entry entry = RegisterSnapshot.of(sound).pulled().get(post.author());
                        if (entry == null || entry.oldest().compareOf(post) >= 0) {
                            sound.put(List.of(post));
                        }
                    }
                }
            }),
            register(
                    "keeps the version of an entry that covers the post",
                    "Entries.putRenewsVersion",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public void put(List<Post> unpushed) {
                            for (Post post : unpushed) {
                                Entry entry =
                                        RegisterSnapshot.of(sound).pulled().get(post.author());
                                if (entry == null || !covers(entry, post)) {
                                    sound.put(List.of(post));
                                }
                            }
                        }
                    }),
            register(
                    "uses a version again after a removal",
                    "Entries.removeAfterRemoval",
                    (register, clock) -> new Recounting(register)),
            register(
                    "takes all retractions for finished",
                    "Retracting.untilRetracted",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public void retracted(List<PostKey> retracted) {
                            sound.retracted(
                                    List.copyOf(RegisterSnapshot.of(sound).retracting()));
                        }
                    }),
            register(
                    "never takes a retraction for finished",
                    "Retracting.untilRetracted",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public void retracted(List<PostKey> retracted) {
                            // forgotten
                        }
                    }),
            register(
                    "forgets retractions of pulled authors",
                    "Retracting.apart",
                    (register, clock) -> new ARegister(register) {
                        @Override
                        public boolean remove(String author, long version) {
                            Set<PostKey> retracting = RegisterSnapshot.of(sound).retracting();
                            sound.retracted(retracting.stream()
                                    .filter(key -> key.author().equals(author))
                                    .toList());
                            return sound.remove(author, version);
                        }
                    }));

    private RegisterMutants() {}

    private static long versionOf(PulledRegister register, String author) {
        Entry entry = RegisterSnapshot.of(register).pulled().get(author);
        return entry == null ? 0 : entry.version();
    }

    private static boolean covers(Entry entry, Post post) {
        return entry.oldest().compareOf(post) >= 0 && entry.newest().compareOf(post) <= 0;
    }

    /** Counts the puts of each author, and begins again when the author was removed. */
    private static final class Recounting extends ARegister {
        private final Map<String, Long> puts = new ConcurrentHashMap<>();

        Recounting(PulledRegister sound) {
            super(sound);
        }

        @Override
        public void put(List<Post> unpushed) {
            unpushed.forEach(post -> puts.merge(post.author(), 1L, Long::sum));
            sound.put(unpushed);
        }

        @Override
        public boolean remove(String author, long version) {
            return puts.getOrDefault(author, 0L) == version
                    && puts.remove(author) != null
                    && sound.remove(author, versionOf(sound, author));
        }

        @Override
        public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
            Update update = sound.update(since, authors, wholeUpTo);
            Map<String, Optional<Entry>> entries = new HashMap<>(update.entries());
            entries.replaceAll((author, stored) -> stored.map(
                    entry -> new Entry(entry.oldest(), entry.newest(), puts.getOrDefault(author, entry.version()))));
            return new Update(update.moment(), update.scope(), entries, update.retracting(), update.retracted());
        }
    }
}
