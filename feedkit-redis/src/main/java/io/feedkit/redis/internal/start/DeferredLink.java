package io.feedkit.redis.internal.start;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.FailureLogLevel;
import io.feedkit.redis.internal.connection.Servers;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link whose servers could not be reached at the start. A thread tries to connect, one attempt after the other, until
 * one succeeds or the link is closed. Then the thread ends. A call uses the connections if there are any. Otherwise it
 * fails at once, with the reason of the last attempt.
 *
 * <p>A failed attempt leaves no connections behind. Attempts continue after a server was refused, because an operator
 * may fix it, and a running node should not need a restart for that. Until then, a refused server is an outage like any
 * other: no call was executed, and the caller may retry.
 */
public final class DeferredLink implements Link {

    private static final Logger log = LoggerFactory.getLogger(DeferredLink.class);

    private static final long FIRST_PAUSE_MILLIS = 100;

    /** The longest time until the thread notices that a server is back. */
    private static final long LONGEST_PAUSE_MILLIS = 2000;

    /**
     * How often the closing thread interrupts the connecting thread, because the code that connects may swallow an
     * interrupt.
     */
    private static final long INTERRUPT_MILLIS = 10;

    private static final State CLOSED = operation -> {
        throw new StoreUnavailableException(operation, new IllegalStateException("this store is closed"));
    };

    private final Servers servers;
    private final Supplier<CheckedLink> attempt;
    private final String prefix;
    private final FailureLogLevel logLevel;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread connector = new Thread(this::connect, "feedkit-redis-connect");
    private volatile State state;

    private DeferredLink(
            Servers servers, Supplier<CheckedLink> attempt, String prefix, Clock clock, FeedKitException failure) {
        this.servers = servers;
        this.attempt = attempt;
        this.prefix = prefix;
        this.logLevel = new FailureLogLevel(clock);
        state = new Missing(servers, failure);
        connector.setDaemon(true);
    }

    /**
     * Starts to connect.
     *
     * @param attempt connects and checks the servers, or throws and leaves no connection behind
     * @param prefix what log messages begin with
     * @param clock the clock for the log level of repeated failures
     * @param failure the failure of the first attempt, which the caller made
     */
    public static DeferredLink start(
            Servers servers,
            Supplier<CheckedLink> attempt,
            String prefix,
            Clock clock,
            StoreUnavailableException failure) {
        DeferredLink link = new DeferredLink(servers, attempt, prefix, clock, failure);
        log.atLevel(link.logLevel.of(failure))
                .log(
                        "{}: started without {}; connecting in the background until it can be reached: {}",
                        prefix,
                        servers,
                        failure.getMessage());
        link.connector.start();
        return link;
    }

    private void connect() {
        long pause = FIRST_PAUSE_MILLIS;
        while (!isClosedWithin(ThreadLocalRandom.current().nextLong(pause / 2, pause))) {
            try {
                connected(attempt.get());
                return;
            } catch (Throwable e) {
                failed(e instanceof FeedKitException typed ? typed : new StoreUnavailableException("redis.connect", e));
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private boolean isClosedWithin(long millis) {
        try {
            return closed.await(millis, MILLISECONDS);
        } catch (InterruptedException e) {
            return closed.getCount() == 0;
        }
    }

    private void connected(CheckedLink checked) {
        if (replaceMissing(new Connected(checked))) {
            log.info("{}: connected to {}, after a start without it", prefix, servers);
        } else {
            checked.link().close();
        }
    }

    private void failed(FeedKitException failure) {
        if (replaceMissing(new Missing(servers, failure))) {
            log.atLevel(logLevel.of(failure))
                    .log(
                            "{}: cannot connect to {}; retrying: {} (next failures of this kind are logged at DEBUG)",
                            prefix,
                            servers,
                            failure.getMessage());
        }
    }

    /** Returns false if the link is closed. */
    private synchronized boolean replaceMissing(State next) {
        if (!(state instanceof Missing)) {
            return false;
        }
        state = next;
        return true;
    }

    private synchronized State replaceByClosed() {
        State before = state;
        state = CLOSED;
        return before;
    }

    /** The warnings of the check, once the servers were reached. */
    public List<String> warnings() {
        return state instanceof Connected connected ? connected.checked().warnings() : List.of();
    }

    /** Returns the connected link for a call, or throws if there is none. */
    private RedisLink live(String operation) {
        return state.link(operation);
    }

    @Override
    public boolean isCluster() {
        return servers.areCluster();
    }

    @Override
    public boolean isClosed() {
        return state == CLOSED;
    }

    @Override
    public boolean isDeferred() {
        return true;
    }

    @Override
    public <T> T run(String operation, Effect effect, Call<T> call) {
        return live(operation).run(operation, effect, call);
    }

    @Override
    public <T> Supplier<List<T>> ask(String operation, List<Call<T>> calls) {
        return live(operation).ask(operation, calls);
    }

    @Override
    public <T> List<T> runAll(String operation, Effect effect, List<Call<T>> calls) {
        return live(operation).runAll(operation, effect, calls);
    }

    @Override
    public <T> List<Optional<T>> runReachable(String operation, Effect effect, List<Call<T>> calls) {
        return live(operation).runReachable(operation, effect, calls);
    }

    @Override
    public <T> Map<String, T> runOnEach(String operation, Call<T> call) {
        return live(operation).runOnEach(operation, call);
    }

    @Override
    public void scan(String operation, String pattern, Predicate<List<byte[]>> some) {
        live(operation).scan(operation, pattern, some);
    }

    /**
     * Closes the link, and ends an attempt to connect that is under way. An interrupted caller also waits for that, and
     * stays interrupted.
     */
    @Override
    public void close() {
        State before = replaceByClosed();
        closed.countDown();
        endConnector();
        if (before instanceof Connected connected) {
            connected.checked().link().close();
        }
    }

    private void endConnector() {
        boolean interrupted = false;
        while (connector.isAlive()) {
            connector.interrupt();
            try {
                connector.join(INTERRUPT_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The state of the link, which decides whether calls are sent. */
    private interface State {

        /**
         * The connected link.
         *
         * @throws StoreUnavailableException if there is none
         */
        RedisLink link(String operation);
    }

    private record Connected(CheckedLink checked) implements State {

        @Override
        public RedisLink link(String operation) {
            return checked.link();
        }
    }

    private record Missing(Servers servers, FeedKitException failure) implements State {

        /**
         * Throws a new exception for each caller, with the caller's stack trace. A server that was refused is an outage
         * to callers, who may retry. Only a node that starts while the server is refused gets the refusal itself; a
         * running node has to wait until the server is fixed.
         */
        @Override
        public RedisLink link(String operation) {
            Throwable why = Optional.ofNullable(failure.getCause())
                    .filter(cause -> failure instanceof StoreUnavailableException)
                    .orElse(failure);
            throw new StoreUnavailableException(
                    operation,
                    new IllegalStateException("not connected to " + servers + " yet: " + why.getMessage(), failure));
        }
    }
}
