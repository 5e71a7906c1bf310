package io.feedkit.survival.live;

import io.feedkit.FeedKitException;
import io.feedkit.PostKey;
import io.feedkit.survival.live.Client.Manner;
import io.feedkit.survival.live.Ledger.Entry;
import io.feedkit.survival.live.Ledger.Span;
import io.feedkit.survival.live.LiveEngine.Unanswered;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What authors, readers and clients do meanwhile. Each method is the work of one thread. */
final class Load {

    private static final int DELETED = 6;
    private static final int CHANGE_MILLIS = 250;
    private static final int CARE_MILLIS = 50;
    private static final int RECONNECTED = 8;
    private static final int RETRY_MILLIS = 100;

    private final List<LiveEngine> engines;
    private final Ledger ledger;
    private final Members members;
    private final Threads threads;

    Load(List<LiveEngine> engines, Ledger ledger, Members members, Threads threads) {
        this.engines = engines;
        this.ledger = ledger;
        this.members = members;
        this.threads = threads;
    }

    /** Publishes, and deletes some posts. */
    void publish(String prefix, Duration interval, Random random) {
        List<Entry> own = new ArrayList<>();
        for (int n = 0; threads.goOn(); n++) {
            Entry entry = ledger.publishing(new PostKey(members.anAuthor(random), prefix + n));
            untilDone(
                    random,
                    engine -> entry.stored(
                            engine.publish(entry.key().author(), entry.key().id()), engine.name()));
            own.add(entry);
            if (random.nextInt(DELETED) == 0) {
                // Often the latest ones, whose fan-out has not ended.
                int age = Math.min(own.size() - 1, random.nextBoolean() ? random.nextInt(2) : random.nextInt(20));
                Entry gone = own.remove(own.size() - 1 - age);
                Span span = gone.deleting();
                untilDone(random, engine -> {
                    engine.delete(gone.key());
                    span.end(engine.name());
                });
            }
            pause(random.nextInt(2 * (int) interval.toMillis() + 1));
        }
    }

    /** Follows and unfollows authors. */
    void follow(List<String> readers, Random random) {
        while (threads.goOn()) {
            String reader = readers.get(random.nextInt(readers.size()));
            String author = members.aChangingAuthor(random);
            boolean following = !ledger.follows(reader, author);
            Span span = ledger.changing(reader, author, following);
            untilDone(random, engine -> {
                engine.change(reader, author, following);
                span.end(engine.name());
            });
            pause(random.nextInt(2 * CHANGE_MILLIS));
        }
    }

    /** Connects the clients that have lost their engine, and reconnects some others. */
    void care(List<Client> clients, Random random) {
        while (threads.goOn()) {
            for (Client client : clients) {
                if (client.isDisconnected()) {
                    client.connect(anEngine(random));
                }
                client.requestSome();
            }
            Client chosen = clients.get(random.nextInt(clients.size()));
            if (random.nextInt(RECONNECTED) == 0 && chosen.manner() != Manner.BLOCKED) {
                chosen.connect(anEngine(random));
            }
            pause(CARE_MILLIS);
        }
    }

    /** An engine that runs. */
    LiveEngine anEngine(Random random) {
        while (true) {
            LiveEngine engine = engines.get(random.nextInt(engines.size()));
            if (!(engine instanceof ProcessEngine process) || process.isRunning()) {
                return engine;
            }
        }
    }

    /** Repeats a call on any engine until one has answered. */
    private void untilDone(Random random, Consumer<LiveEngine> call) {
        Optional<RuntimeException> failure = Optional.of(new IllegalStateException());
        while (failure.isPresent()) {
            failure = attempt(anEngine(random), call);
            if (failure.isPresent()) {
                pause(RETRY_MILLIS);
            }
        }
    }

    private static Optional<RuntimeException> attempt(LiveEngine engine, Consumer<LiveEngine> call) {
        try {
            call.accept(engine);
            return Optional.empty();
        } catch (FeedKitException | Unanswered e) {
            return Optional.of(e);
        }
    }

    static void pause(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
