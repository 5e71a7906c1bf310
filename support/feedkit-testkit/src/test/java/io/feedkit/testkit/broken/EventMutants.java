package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.PostEventLog.Claim;
import io.feedkit.spi.PostEventLog.Unsent;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.broken.Parts.AWriter;
import io.feedkit.testkit.broken.Parts.AnEventLog;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Outboxes that record events wrongly, and logs that hand them out wrongly. */
final class EventMutants {

    private static final int MANY = 1000;

    static final List<Mutant> ALL = List.of(
            outbox(
                    "records an event for a post that it knows",
                    "Recording.publishedAgain",
                    (outbox, clock) -> recording(outbox, (recorder, log) -> new AnOutbox(recorder) {
                        @Override
                        public List<Appended> append(List<Publication> publications) {
                            List<Appended> answers = sound.append(publications);
                            answers.stream()
                                    .filter(answer -> answer.status() == Published.Status.SAME)
                                    .forEach(answer -> log.add(answer.post()));
                            return answers;
                        }
                    })),
            outbox(
                    "records the events of a transaction at once",
                    "Recording.rolledBack",
                    (outbox, clock) -> recording(outbox, (recorder, log) -> new AnOutbox(recorder) {
                        @Override
                        public OutboxWriter joining(PublishTransaction transaction) {
                            return new AWriter(outbox.joining(transaction)) {
                                @Override
                                public List<Appended> append(List<Publication> publications) {
                                    publications.forEach(publication -> log.add(publication.post()));
                                    return super.append(publications);
                                }
                            };
                        }
                    })),
            outbox(
                    "records the events of a transaction never",
                    "Recording.committed",
                    (outbox, clock) -> recording(outbox, (recorder, log) -> new AnOutbox(recorder) {
                        @Override
                        public OutboxWriter joining(PublishTransaction transaction) {
                            return outbox.joining(transaction);
                        }
                    })),
            outbox(
                    "records no deletes",
                    "Recording.deleted",
                    (outbox, clock) -> recording(outbox, (recorder, log) -> new AnOutbox(recorder) {
                        @Override
                        public List<Boolean> delete(List<PostKey> keys) {
                            return outbox.delete(keys);
                        }
                    })),
            outbox("records events also when nobody asked for them", "Recording.onlyThisView", (outbox, clock) -> {
                EventRecording recording = outbox.recordingEvents().orElseThrow();
                return new AnOutbox((TransactionalOutbox) recording.outbox()) {
                    @Override
                    public Optional<EventRecording> recordingEvents() {
                        return Optional.of(recording);
                    }
                };
            }),
            log(
                    "lets events be finished whose lease has run out",
                    "EventLog.lapsed",
                    (log, clock) -> new AnEventLog(log) {
                        @Override
                        public List<Boolean> finish(List<Claim> claims) {
                            return claims.stream()
                                    .map(claim -> sound.finish(List.of(claim)).get(0)
                                            || sound.claim(MANY, 1000).stream()
                                                    .filter(other ->
                                                            other.event().equals(claim.event()))
                                                    .anyMatch(other -> sound.finish(List.of(other))
                                                            .get(0)))
                                    .toList();
                        }
                    }),
            log("leases an event under the same token again", "EventLog.lapsed", (log, clock) -> new AnEventLog(log) {
                private final Map<String, Long> tokens = new ConcurrentHashMap<>();

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return sound.claim(max, leaseMillis).stream()
                            .map(claim -> {
                                tokens.put(claim.event().id(), claim.lease());
                                return new Claim(claim.event(), 1);
                            })
                            .toList();
                }

                @Override
                public List<Boolean> finish(List<Claim> claims) {
                    return sound.finish(claims.stream()
                            .map(claim -> new Claim(
                                    claim.event(),
                                    tokens.getOrDefault(claim.event().id(), 0L)))
                            .toList());
                }
            }),
            log("forgets events when they are leased", "EventLog.released", (log, clock) -> new AnEventLog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = sound.claim(max, leaseMillis);
                    sound.finish(claims);
                    return claims;
                }
            }),
            log("gives events back in their old places", "EventLog.released", (log, clock) -> new AnEventLog(log) {
                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    return sound.claim(max, leaseMillis).stream()
                            .sorted(Comparator.comparing(claim -> claim.event().recordedAt()))
                            .toList();
                }
            }),
            log("leases one event to two senders", "EventLog.claims", (log, clock) -> new AnEventLog(log) {
                private List<Claim> last = List.of();

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = sound.claim(max, leaseMillis);
                    List<Claim> given = claims.isEmpty() ? last : claims;
                    last = given;
                    return given;
                }
            }),
            log("does not count leased events", "EventLog.unsent", (log, clock) -> new AnEventLog(log) {
                private final Map<String, Claim> leased = new ConcurrentHashMap<>();

                @Override
                public List<Claim> claim(int max, long leaseMillis) {
                    List<Claim> claims = sound.claim(max, leaseMillis);
                    claims.forEach(claim -> leased.put(claim.event().id(), claim));
                    return claims;
                }

                @Override
                public Unsent unsent() {
                    Unsent unsent = sound.unsent();
                    return new Unsent(unsent.events() - leased.size(), unsent.oldest());
                }
            }));

    private EventMutants() {}

    /** A log with events that the outbox did not record. */
    private static final class MoreEvents extends AnEventLog {
        private final List<Claim> more = new ArrayList<>();

        MoreEvents(PostEventLog sound) {
            super(sound);
        }

        synchronized void add(Post post) {
            String id = "more-" + more.size() + "-" + post.id();
            more.add(new Claim(new PostEvent(id, PostEvent.Type.CREATED, post, Instant.EPOCH), -1));
        }

        @Override
        public synchronized List<Claim> claim(int max, long leaseMillis) {
            List<Claim> claims = new ArrayList<>(sound.claim(max, leaseMillis));
            claims.addAll(more);
            more.clear();
            return claims;
        }
    }

    private static AnOutbox recording(
            TransactionalOutbox outbox, BiFunction<TransactionalOutbox, MoreEvents, TransactionalOutbox> breaking) {
        EventRecording recording = outbox.recordingEvents().orElseThrow();
        MoreEvents log = new MoreEvents(recording.log());
        TransactionalOutbox broken = breaking.apply((TransactionalOutbox) recording.outbox(), log);
        return new AnOutbox(outbox) {
            @Override
            public Optional<EventRecording> recordingEvents() {
                return Optional.of(new EventRecording(broken, log));
            }
        };
    }

    private static Mutant log(
            String name, String caughtBy, BiFunction<PostEventLog, SettableClock, PostEventLog> breaking) {
        return outbox(name, caughtBy, (outbox, clock) -> {
            EventRecording recording = outbox.recordingEvents().orElseThrow();
            PostEventLog broken = breaking.apply(recording.log(), clock);
            return new AnOutbox(outbox) {
                @Override
                public Optional<EventRecording> recordingEvents() {
                    return Optional.of(new EventRecording(recording.outbox(), broken));
                }
            };
        });
    }
}
