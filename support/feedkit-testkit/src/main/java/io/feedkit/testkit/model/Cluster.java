package io.feedkit.testkit.model;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.fault.ProcessCrash;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The processes: each has a connection to the shared store and an engine, without worker threads, on it. A dead one is
 * replaced at once.
 */
final class Cluster {

    /** The number of engines that share the store. */
    static final int ENGINES = 2;

    private static final int MOST_TRIES = 20;

    /** One process, and the pulled posts it has published since the list was emptied. */
    private record Node(FaultyFeedStore store, FeedEngine engine, List<PostPublished> pulled) {}

    private final FeedStore shared;
    private final List<EngineClock> clocks = new ArrayList<>();
    private final ModelSettings settings;
    private final Host host;
    private final UnaryOperator<FeedEngineBuilder> more;
    private final List<Policies> policies = new ArrayList<>();
    private final List<Node> processes = new ArrayList<>();

    /** @param more sets further settings of each engine */
    Cluster(
            FeedStore shared,
            SettableClock clock,
            ModelSettings settings,
            Host host,
            UnaryOperator<FeedEngineBuilder> more) {
        this.shared = shared;
        this.settings = settings;
        this.host = host;
        this.more = more;
        for (int i = 0; i < ENGINES; i++) {
            policies.add(Policies.PUSH);
            clocks.add(new EngineClock(clock));
            processes.add(start(i));
        }
    }

    private Node start(int number) {
        FaultyFeedStore store = FaultyFeedStore.around(shared);
        List<PostPublished> pulled = new ArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void published(PostPublished event) {
                if (event.mode() != FanoutMode.PUSH) {
                    pulled.add(event);
                }
            }
        };
        FeedEngine engine = more.apply(settings.apply(FeedEngine.builder(store)))
                .name("engine-" + number)
                .clock(clocks.get(number))
                .policy(policies.get(number).policy())
                .filter(host::visible)
                .listener(listener)
                .workers(0)
                .build();
        return new Node(store, engine, pulled);
    }

    FeedEngine engine(int number) {
        return processes.get(number).engine();
    }

    FaultyFeedStore store(int number) {
        return processes.get(number).store();
    }

    /** The clock of an engine, and of the engines that replace it. */
    EngineClock clock(int number) {
        return clocks.get(number);
    }

    /** The pulled posts that an engine has published since the last call. */
    List<PostPublished> takePulled(int number) {
        List<PostPublished> pulled = processes.get(number).pulled();
        List<PostPublished> taken = List.copyOf(pulled);
        pulled.clear();
        return taken;
    }

    void restart(int number) {
        processes.get(number).store().kill();
        processes.set(number, start(number));
    }

    void usePolicy(int number, Policies policy) {
        policies.set(number, policy);
        engine(number).usePolicy(policy.policy());
    }

    void heal() {
        for (int i = 0; i < ENGINES; i++) {
            store(i).heal();
            if (store(i).isDead()) {
                restart(i);
            }
        }
    }

    /**
     * Makes a call as a host would: repeats a failed call, on a new engine if the process died, or does not repeat it.
     *
     * @return whether a try succeeded
     */
    boolean call(int number, boolean repeat, Consumer<FeedEngine> body) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                body.accept(engine(number));
                return true;
            } catch (ProcessCrash crash) {
                restart(number);
            } catch (StoreUnavailableException | OutcomeUnknownException failure) {
                // Repeated below, or not at all.
            }
            if (!repeat) {
                return false;
            }
        }
        throw new AssertionError("a call failed " + MOST_TRIES + " times in a row");
    }
}
