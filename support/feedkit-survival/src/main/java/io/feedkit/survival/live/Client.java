package io.feedkit.survival.live;

import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.survival.live.LiveEngine.Unanswered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of a live feed. It keeps the events of all its subscriptions, and continues each time with the cursor of the
 * last event that it kept. Thread-safe.
 */
final class Client {

    /** How a client treats its subscription. */
    enum Manner {
        /** Requests everything. */
        EAGER,

        /** Requests one event, and one more at each event. */
        ONE_BY_ONE,

        /** Requests a few events now and then. */
        SLOW,

        /** Requests nothing until the end. */
        STALLED,

        /** Sleeps at some events. */
        SLEEPING,

        /** Blocks at the first event, until the end. */
        BLOCKED,

        /** Throws at some events, before or after it has kept them, and reconnects. */
        THROWING,

        /** Cancels at some events, and reconnects. */
        CANCELLING
    }

    /** Receives posts as they arrive. */
    @FunctionalInterface
    interface Observer {
        void arrived(LiveEngine engine, String reader, Post post);
    }

    /** An event, with the time at which it arrived. */
    record Arrival(LiveEvent event, long at) {}

    private static final int SELDOM = 8;
    private static final int LONGEST_SLEEP_MILLIS = 800;
    private static final int MOST_REQUESTED = 6;

    private final String reader;
    private final Manner manner;
    private final Observer observer;
    private final CountDownLatch release = new CountDownLatch(1);
    private final ReentrantLock connecting = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Random random;
    private final List<Stretch> stretches = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private @Nullable Cursor cursor;
    private long start;
    private boolean calm;

    /**
     * @param cursor where the client begins; without one it begins with its first subscription
     */
    Client(String reader, Manner manner, Optional<Cursor> cursor, Random random, Observer observer) {
        this.reader = reader;
        this.manner = manner;
        this.cursor = cursor.orElse(null);
        this.random = random;
        this.observer = observer;
        this.start = System.nanoTime();
    }

    /** One subscription. */
    final class Stretch implements Flow.Subscriber<LiveEvent> {
        private final LiveEngine engine;
        private final long startedAt = System.nanoTime();

        // Guarded by the lock.
        private final List<Arrival> arrivals = new ArrayList<>();
        private Flow.@Nullable Subscription subscription;
        private boolean ended;
        private boolean cancelled;

        Stretch(LiveEngine engine) {
            this.engine = engine;
        }

        LiveEngine engine() {
            return engine;
        }

        long startedAt() {
            return startedAt;
        }

        /** The events so far. */
        List<Arrival> arrivals() {
            return locked(() -> List.copyOf(arrivals));
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            long first = locked(() -> {
                subscription = given;
                return firstRequest();
            });
            if (first > 0) {
                given.request(first);
            }
        }

        @Override
        public void onNext(LiveEvent event) {
            long at = System.nanoTime();
            Act act = locked(() -> decide(event, at));
            switch (act) {
                case NONE -> {}
                case REQUEST -> request(1);
                case SLEEP -> sleep();
                case BLOCK -> block();
                case THROW -> throw new IllegalStateException("a subscriber that throws");
                case THROW_ERROR -> throw new AssertionError("a subscriber that throws");
                case CANCEL -> cancel();
            }
        }

        private Act decide(LiveEvent event, long at) {
            if (ended) {
                if (cancelled) {
                    violations.add("an event after the subscriber had cancelled in an event: " + event);
                }
                return Act.NONE;
            }
            Act act = act();
            boolean throwsBefore = act == Act.THROW && random.nextBoolean();
            if (!throwsBefore) {
                arrivals.add(new Arrival(event, at));
                cursor = event.cursor();
                if (event instanceof PostAdded added) {
                    observer.arrived(engine, reader, added.post());
                }
            }
            if (act == Act.THROW || act == Act.THROW_ERROR || act == Act.CANCEL) {
                ended = true;
                cancelled = true;
            }
            return act;
        }

        private Act act() {
            if (calm) {
                return Act.NONE;
            }
            boolean seldom = random.nextInt(SELDOM) == 0;
            return switch (manner) {
                case EAGER, SLOW, STALLED -> Act.NONE;
                case ONE_BY_ONE -> Act.REQUEST;
                case SLEEPING -> seldom ? Act.SLEEP : Act.NONE;
                case BLOCKED -> Act.BLOCK;
                case THROWING -> seldom ? (random.nextInt(3) == 0 ? Act.THROW_ERROR : Act.THROW) : Act.NONE;
                case CANCELLING -> seldom ? Act.CANCEL : Act.NONE;
            };
        }

        private void sleep() {
            try {
                int millis = locked(() -> 1 + random.nextInt(LONGEST_SLEEP_MILLIS));
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void block() {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void request(long count) {
            Flow.Subscription given = locked(() -> subscription);
            if (given != null) {
                given.request(count);
            }
        }

        private void cancel() {
            Flow.Subscription given = locked(() -> subscription);
            if (given != null) {
                given.cancel();
            }
        }

        @Override
        public void onError(Throwable cause) {
            locked(() -> {
                if (!ended && !(cause instanceof Unanswered)) {
                    violations.add("the subscription failed: " + cause);
                }
                ended = true;
                return ended;
            });
        }

        @Override
        public void onComplete() {
            locked(() -> {
                if (!ended) {
                    violations.add("the subscription was completed");
                }
                ended = true;
                return ended;
            });
        }
    }

    private enum Act {
        NONE,
        REQUEST,
        SLEEP,
        BLOCK,
        THROW,
        THROW_ERROR,
        CANCEL
    }

    private <T> T locked(Supplier<T> call) {
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }

    private long firstRequest() {
        if (calm) {
            return Long.MAX_VALUE;
        }
        return switch (manner) {
            case SLOW, STALLED -> 0;
            case ONE_BY_ONE -> 1;
            default -> Long.MAX_VALUE;
        };
    }

    String reader() {
        return reader;
    }

    Manner manner() {
        return manner;
    }

    /** Subscribes to an engine. An earlier subscription ends: what it has not brought yet is lost. */
    void connect(LiveEngine engine) {
        connecting.lock();
        try {
            Stretch next = new Stretch(engine);
            Optional<Stretch> before = current();
            Optional<Cursor> since = locked(() -> {
                before.ifPresent(each -> each.ended = true);
                stretches.add(next);
                return Optional.ofNullable(cursor);
            });
            before.ifPresent(Stretch::cancel);
            // As a client sends it.
            try {
                engine.subscribe(reader, since.map(each -> Cursor.parse(each.toString())), next);
            } catch (Unanswered e) {
                locked(() -> next.ended = true);
            }
            if (since.isEmpty()) {
                locked(() -> start = System.nanoTime());
            }
        } finally {
            connecting.unlock();
        }
    }

    private Optional<Stretch> current() {
        return locked(() -> stretches.isEmpty() ? Optional.empty() : Optional.of(stretches.get(stretches.size() - 1)));
    }

    /** Whether the client has no subscription: it should connect. */
    boolean isDisconnected() {
        return locked(() -> current().map(each -> each.ended).orElse(true));
    }

    /** Requests some more events, if that is the client's manner. */
    void requestSome() {
        if (manner == Manner.SLOW) {
            long count = locked(() -> (long) random.nextInt(MOST_REQUESTED));
            if (count > 0) {
                current().ifPresent(each -> each.request(count));
            }
        }
    }

    /** Ends the manner: from now on the client takes all events. */
    void calm() {
        locked(() -> calm = true);
        release.countDown();
        current().ifPresent(each -> each.request(Long.MAX_VALUE));
    }

    /** Cancels the subscription. */
    void close() {
        current().ifPresent(each -> {
            locked(() -> each.ended = true);
            each.cancel();
        });
    }

    /** When the client began: it must get the posts that are published afterwards. */
    long start() {
        return locked(() -> start);
    }

    Optional<Cursor> cursor() {
        return locked(() -> Optional.ofNullable(cursor));
    }

    List<Stretch> stretches() {
        return locked(() -> List.copyOf(stretches));
    }

    /** What the client itself found to be wrong. */
    List<String> violations() {
        return locked(() -> List.copyOf(violations));
    }
}
