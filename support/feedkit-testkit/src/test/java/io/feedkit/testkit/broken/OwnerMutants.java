package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.inbox;
import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.ForeignStoreException;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.broken.Parts.AnInbox;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Sources of truth without a proper identity, and inboxes that do not know whose they are. */
final class OwnerMutants {

    static final List<Mutant> ALL = List.of(
            inbox("belongs to everybody", "Owner.another", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void claim(String identity) {}
            }),
            inbox("remembers its owner in one view", "Owner.another", (inbox, clock) -> new AnInbox(inbox) {
                private final Owner owner = new Owner();

                @Override
                public void claim(String identity) {
                    owner.claim(identity);
                }
            }),
            owned("belongs to the last that claimed it", "Owner.another", (inbox, owner) -> new AnInbox(inbox) {
                @Override
                public void claim(String identity) {
                    owner.replace(identity);
                }
            }),
            owned("refuses its owner the second time", "Owner.first", (inbox, owner) -> new AnInbox(inbox) {
                @Override
                public void claim(String identity) {
                    owner.claim(identity + owner.claims.incrementAndGet());
                }
            }),
            inbox("is emptied by a refused claim", "Owner.nothingChanges", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void claim(String identity) {
                    try {
                        sound.claim(identity);
                    } catch (ForeignStoreException e) {
                        sound.drop(List.of("reader"));
                        throw e;
                    }
                }
            }),
            owned("is looked at, and then claimed", "Owner.race", (inbox, owner) -> new AnInbox(inbox) {
                @Override
                public void claim(String identity) {
                    owner.claimInTwoSteps(identity);
                }
            }),
            outbox(
                    "has an identity that names a place",
                    "Identity.characters",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public String identity() {
                            return "localhost:5432";
                        }
                    }),
            outbox("has another identity after each post", "Identity.stable", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public String identity() {
                    return "posts-" + sound.lastAppended(List.of("bob")).size();
                }
            }),
            outbox(
                    "records events under another identity",
                    "Identity.recordingEvents",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public Optional<EventRecording> recordingEvents() {
                            return sound.recordingEvents()
                                    .map(recording -> new EventRecording(
                                            new AnOutbox((TransactionalOutbox) recording.outbox()) {
                                                @Override
                                                public String identity() {
                                                    return "events-" + sound.identity();
                                                }
                                            },
                                            recording.log()));
                        }
                    }),
            outbox(
                    "gives everybody an identity until one is stored",
                    "Identity.race",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        private final Owner owner = new Owner();

                        @Override
                        public String identity() {
                            String fresh = UUID.randomUUID().toString();
                            try {
                                owner.claimInTwoSteps(fresh);
                                return fresh;
                            } catch (ForeignStoreException e) {
                                return e.found();
                            }
                        }
                    }));

    private OwnerMutants() {}

    /** Breaks inboxes whose views share an owner. */
    private interface Breaking {
        Inbox view(Inbox sound, Owner owner);
    }

    private static Mutant owned(String name, String caughtBy, Breaking breaking) {
        return new Mutant(name, Leaves.Inboxes.class, caughtBy, (sound, clock) -> {
            Owner owner = new Owner();
            return FeedStore.of(
                    sound.outbox(),
                    limits -> breaking.view(sound.inbox(limits), owner),
                    sound.graph(),
                    sound.seenMarks());
        });
    }

    /** Whom something belongs to. */
    private static final class Owner {
        private final AtomicReference<String> first = new AtomicReference<>("");
        private final AtomicInteger claims = new AtomicInteger();

        void claim(String identity) {
            first.compareAndSet("", identity);
            require(first.get(), identity);
        }

        void replace(String identity) {
            String before = first.getAndSet(identity);
            require(before.isEmpty() ? identity : before, identity);
        }

        /** Looks, waits until somebody else has looked, too, and then claims. */
        void claimInTwoSteps(String identity) {
            String before = first.get();
            if (before.isEmpty()) {
                claims.incrementAndGet();
                long begun = System.nanoTime();
                while (claims.get() < 2 && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(1)) {
                    Thread.onSpinWait();
                }
                first.set(identity);
                return;
            }
            require(before, identity);
        }

        private static void require(String owner, String identity) {
            if (!owner.equals(identity)) {
                throw new ForeignStoreException("the inboxes", owner, identity, "do not share them");
            }
        }
    }
}
