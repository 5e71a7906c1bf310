package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.broken.Parts.ALog;
import io.feedkit.testkit.broken.Parts.ARegister;
import io.feedkit.testkit.broken.Parts.AWriter;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Outboxes that append or delete wrongly. */
final class OutboxWriteMutants {

    static final List<Mutant> ALL = List.of(
            outbox(
                    "appends a post without its task",
                    "Appending.appendRecordsTask",
                    (outbox, clock) -> withTasks(outbox, task -> task.kind() == Kind.RETRACT, task -> task)),
            outbox(
                    "deletes a post without a task to retract it",
                    "Deleting.recordsTask",
                    (outbox, clock) -> withTasks(outbox, task -> task.kind() != Kind.RETRACT, task -> task)),
            outbox(
                    "pushes every post, whatever the mode",
                    "Appending.appendRecordsTask",
                    (outbox, clock) -> withTasks(
                            outbox,
                            task -> true,
                            task -> new Task(
                                    task.id(),
                                    Kind.PUSH,
                                    task.oldest(),
                                    task.newest(),
                                    task.version(),
                                    task.range(),
                                    task.after(),
                                    task.attempts(),
                                    task.outage(),
                                    task.created()))),
            appends("records a task again for a post it knows", "Appending.appendAgain", (outbox, answer) -> {
                if (answer.status() == Status.SAME) {
                    Position at = Position.of(answer.post());
                    outbox.fanout().catchUp(answer.post().author(), new Entry(at, at, 1));
                }
                return answer;
            }),
            outbox(
                    "answers the post given for one that is stored",
                    "Appending.appendAgain",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<Appended> append(List<Publication> publications) {
                            return publications.stream()
                                    .map(publication -> new Appended(
                                            sound.append(List.of(publication))
                                                    .get(0)
                                                    .status(),
                                            publication.post()))
                                    .toList();
                        }
                    }),
            appends(
                    "publishes a deleted post again",
                    "Appending.appendDeleted",
                    (outbox, answer) -> answer.status() == Status.DELETED
                            ? new Outbox.Appended(Status.NEW, answer.post())
                            : answer),
            appends(
                    "calls a deleted post published before",
                    "Appending.appendDeleted",
                    (outbox, answer) -> answer.status() == Status.DELETED
                            ? new Outbox.Appended(Status.SAME, answer.post())
                            : answer),
            outbox(
                    "leaves the oldest imported post out of the task",
                    "Importing.covered",
                    (outbox, clock) -> withTasks(
                            outbox,
                            task -> true,
                            task -> task.kind() == Kind.IMPORT
                                    ? new Task(
                                            task.id(),
                                            task.kind(),
                                            task.oldest().next(),
                                            task.newest(),
                                            task.version(),
                                            task.range(),
                                            task.after(),
                                            task.attempts(),
                                            task.outage(),
                                            task.created())
                                    : task)),
            outbox("answers imported posts by author", "Importing.again", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
                    return sound.appendImported(posts, mode).stream()
                            .sorted(Comparator.comparing(answer -> answer.post().id()))
                            .toList();
                }
            }),
            outbox(
                    "does not hold the settled mark back for imports",
                    "Importing.settled",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public long settledMark() {
                            Set<Kind> open = sound.fanout().unfinishedByKind().keySet();
                            return open.equals(Set.of(Kind.IMPORT)) ? clock.millis() : sound.settledMark();
                        }
                    }),
            outbox(
                    "forgets the tombstone of a post never seen",
                    "Deleting.deleteUnseen",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<Boolean> delete(List<PostKey> keys) {
                            return keys.stream()
                                    .map(key -> sound.existing(List.of(key)).containsKey(key)
                                            && sound.delete(List.of(key)).get(0))
                                    .toList();
                        }
                    }),
            outbox("forgets tombstones with age", "Deleting.tombstonesLast", (outbox, clock) -> new AnOutbox(outbox) {
                private final Map<PostKey, Long> deleted = new ConcurrentHashMap<>();

                @Override
                public List<Boolean> delete(List<PostKey> keys) {
                    keys.forEach(key -> deleted.put(key, clock.millis()));
                    return sound.delete(keys);
                }

                @Override
                public List<Appended> append(List<Publication> publications) {
                    return sound.append(publications).stream()
                            .map(this::resurrected)
                            .toList();
                }

                private Appended resurrected(Appended answer) {
                    long age =
                            clock.millis() - deleted.getOrDefault(answer.post().key(), Long.MAX_VALUE / 2);
                    return answer.status() == Status.DELETED
                                    && age > Duration.ofDays(30).toMillis()
                            ? new Appended(Status.NEW, answer.post())
                            : answer;
                }
            }),
            outbox(
                    "finds a deleted post again and again",
                    "Deleting.deleteAgain",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<Boolean> delete(List<PostKey> keys) {
                            sound.delete(keys);
                            return keys.stream().map(key -> true).toList();
                        }
                    }),
            outbox("does not note a deleted post as being retracted", "Deleting.recordsRetraction", (outbox, clock) -> {
                PulledRegister register = new ARegister(outbox.pulled()) {
                    @Override
                    public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
                        Update update = sound.update(since, authors, wholeUpTo);
                        return new Update(
                                update.moment(), update.scope(), update.entries(), Set.of(), update.retracted());
                    }
                };
                return new AnOutbox(outbox) {
                    @Override
                    public PulledRegister pulled() {
                        return register;
                    }
                };
            }),
            outbox(
                    "deletes posts of all authors with that id",
                    "Deleting.othersStay",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<Boolean> delete(List<PostKey> keys) {
                            keys.forEach(key -> sound.delete(List.of(new PostKey("amy", key.id()))));
                            return sound.delete(keys);
                        }
                    }),
            outbox("cuts times to seconds", "Appending.appendNew", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public List<Appended> append(List<Publication> publications) {
                    return sound.append(publications.stream()
                            .map(publication -> new Publication(
                                    Post.of(
                                            publication.post().author(),
                                            publication.post().id(),
                                            publication.post().publishedAt().getEpochSecond() * 1000),
                                    publication.mode()))
                            .toList());
                }
            }),
            outbox(
                    "takes ids that differ in case for one",
                    "Appending.awkwardIds",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        private final Map<String, Post> known = new HashMap<>();

                        @Override
                        public List<Appended> append(List<Publication> publications) {
                            List<Appended> answers = new ArrayList<>();
                            for (Publication publication : publications) {
                                Post post = publication.post();
                                String key = (post.author() + " " + post.id()).toLowerCase(Locale.ROOT);
                                Post first = known.putIfAbsent(key, post);
                                answers.add(
                                        first == null || first.equals(post)
                                                ? sound.append(List.of(publication))
                                                        .get(0)
                                                : new Appended(Status.SAME, first));
                            }
                            return List.copyOf(answers);
                        }
                    }),
            outbox(
                    "checks for a post and appends it in two steps",
                    "Concurrency.sameKey",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        private final Gap gap = new Gap();

                        @Override
                        public List<Appended> append(List<Publication> publications) {
                            return publications.stream().map(this::append).toList();
                        }

                        private boolean absent(PostKey key) {
                            return sound.existing(List.of(key)).isEmpty();
                        }

                        private Appended append(Publication publication) {
                            PostKey key = publication.post().key();
                            boolean absent = absent(key);
                            if (absent) {
                                gap.awaitRival(() -> !absent(key));
                            }
                            Appended answer = sound.append(List.of(publication)).get(0);
                            return absent && answer.status() == Status.SAME
                                    ? new Appended(Status.NEW, publication.post())
                                    : answer;
                        }
                    }),
            outbox(
                    "checks for a post and deletes it in two steps",
                    "Concurrency.sameDeletion",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        private final Gap gap = new Gap();

                        @Override
                        public List<Boolean> delete(List<PostKey> keys) {
                            Set<PostKey> existing = sound.existing(keys).keySet();
                            if (!existing.isEmpty()) {
                                gap.awaitRival(
                                        () -> !sound.existing(keys).keySet().equals(existing));
                            }
                            sound.delete(keys);
                            return keys.stream().map(existing::contains).toList();
                        }
                    }),
            outbox(
                    "records a task before its post can be seen",
                    "Concurrency.postsAndTasksAppearTogether",
                    (outbox, clock) -> new TasksFirst(outbox)),
            outbox(
                    "tells a policy in a transaction that nobody is pulled",
                    "Transactions.answersPolicies",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public Set<String> pulledAmong(PublishTransaction transaction, Collection<String> authors) {
                            return Set.of();
                        }
                    }),
            outbox(
                    "tells a policy in a transaction that nothing waits to show",
                    "Transactions.answersPolicies",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public long invisibleSince(PublishTransaction transaction) {
                            return 0;
                        }
                    }),
            outbox(
                    "appends at once instead of joining a transaction",
                    "Transactions.appendRolledBack",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public OutboxWriter joining(PublishTransaction transaction) {
                            return sound;
                        }
                    }),
            outbox(
                    "finds posts whose transactions are not committed",
                    "OwnPosts.rolledBack",
                    (outbox, clock) -> new DirtyReads(outbox)),
            outbox("joins a transaction that is over", "Transactions.refused", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public OutboxWriter joining(PublishTransaction transaction) {
                    try {
                        return sound.joining(transaction);
                    } catch (IllegalArgumentException e) {
                        return sound;
                    }
                }
            }));

    private OutboxWriteMutants() {}

    private interface Answering {
        Outbox.Appended answer(Outbox outbox, Outbox.Appended answer);
    }

    private static Mutant appends(String name, String caughtBy, Answering breaking) {
        return outbox(name, caughtBy, (outbox, clock) -> new AnOutbox(outbox) {
            @Override
            public List<Appended> append(List<Publication> publications) {
                return sound.append(publications).stream()
                        .map(answer -> breaking.answer(sound, answer))
                        .toList();
            }
        });
    }

    /** Lets posts be seen whose transactions are open, or rolled back. */
    private static final class DirtyReads extends AnOutbox {
        private final Map<PostKey, Post> dirty = new ConcurrentHashMap<>();

        DirtyReads(TransactionalOutbox sound) {
            super(sound);
        }

        @Override
        public OutboxWriter joining(PublishTransaction transaction) {
            return new AWriter(sound.joining(transaction)) {
                @Override
                public List<Appended> append(List<Publication> publications) {
                    publications.forEach(
                            publication -> dirty.put(publication.post().key(), publication.post()));
                    return sound.append(publications);
                }
            };
        }

        @Override
        public Map<PostKey, Post> existing(Collection<PostKey> keys) {
            Map<PostKey, Post> existing = new HashMap<>(sound.existing(keys));
            keys.stream().filter(dirty::containsKey).forEach(key -> existing.put(key, dirty.get(key)));
            return existing;
        }

        @Override
        public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
            return authors.stream()
                    .map(author -> dirty.values().stream()
                            .filter(post -> post.author().equals(author) && range.contains(post))
                            .limit(each)
                            .toList())
                    .toList();
        }
    }

    /** Lets a post be seen only some time after its task. */
    private static final class TasksFirst extends AnOutbox {
        private final Gap gap = new Gap();
        private final Set<PostKey> late = ConcurrentHashMap.newKeySet();
        private volatile boolean missed;

        TasksFirst(TransactionalOutbox sound) {
            super(sound);
        }

        @Override
        public List<Appended> append(List<Publication> publications) {
            publications.forEach(publication -> late.add(publication.post().key()));
            List<Appended> answers = sound.append(publications);
            gap.awaitRival(() -> missed);
            publications.forEach(publication -> late.remove(publication.post().key()));
            return answers;
        }

        @Override
        public FanoutLog fanout() {
            return new ALog(sound.fanout()) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    gap.awaitVictim();
                    return sound.claim(max, leaseMillis);
                }
            };
        }

        @Override
        public Map<PostKey, Post> existing(Collection<PostKey> keys) {
            List<PostKey> seen =
                    keys.stream().filter(key -> !late.contains(key)).toList();
            missed |= seen.size() < keys.size();
            return sound.existing(seen);
        }
    }

    /** An outbox that records only some of the tasks, or others than it should. */
    private static TransactionalOutbox withTasks(
            TransactionalOutbox outbox, Predicate<Task> recorded, UnaryOperator<Task> changed) {
        FanoutLog log = new ALog(outbox.fanout()) {
            @Override
            public List<Claim> claim(int max, long leaseMillis) {
                List<Claim> claims = sound.claim(max, leaseMillis);
                sound.finish(
                        claims.stream()
                                .filter(claim -> !recorded.test(claim.task()))
                                .toList(),
                        0);
                return claims.stream()
                        .filter(claim -> recorded.test(claim.task()))
                        .map(claim -> new Claim(changed.apply(claim.task()), claim.lease()))
                        .toList();
            }
        };
        return new AnOutbox(outbox) {
            @Override
            public FanoutLog fanout() {
                return log;
            }
        };
    }
}
