package io.feedkit.testkit.forwarding;

import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.testkit.internal.Interception;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that runs other code right before or right after a chosen call. So one thread can produce any interleaving of
 * two threads: the call itself does the work of the other thread.
 *
 * <pre>{@code
 * InterleavingStore store = InterleavingStore.of(InMemoryFeedStore.create(clock));
 * // A worker is stopped between delivering and checking.
 * store.after("inbox.deliver", () -> engine.delete("bob", "post-1"));
 * engine.fanout().drain();
 * }</pre>
 *
 * <p>A call is named by its part and method: {@code inbox}, {@code outbox}, {@code pulled}, {@code fanout},
 * {@code graph}, {@code seenMarks} or {@code rankSnapshots}, a dot, and the method; {@link #ANY} is any call. An action
 * runs once. Calls that it makes itself pass through, unless other actions wait for them. If an action throws, the call
 * fails, before or after its effect. Safe for use by many threads; actions run on the calling thread.
 *
 * @since 0.1.0
 */
public final class InterleavingStore implements FeedStore {

    /** The name for every call. */
    public static final String ANY = "any";

    private static final int REMEMBERED = 100;

    private final FeedStore store;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Deque<Read> reads = new ArrayDeque<>();

    private InterleavingStore(FeedStore delegate) {
        store = new Interception(delegate, this::call);
    }

    /** A call that changed nothing. It can be repeated, to find out whether its answer still holds. */
    private record Read(Interception.Call call, @Nullable Object answer) {
        boolean holds() {
            try {
                return Objects.equals(call.proceed(), answer);
            } catch (Throwable e) {
                return false;
            }
        }
    }

    /** An action that waits for its call. */
    private static final class Waiting {
        private final String call;
        private final boolean before;
        private final Runnable action;
        private int skip;

        Waiting(String call, boolean before, int nth, Runnable action) {
            this.call = call;
            this.before = before;
            this.skip = nth - 1;
            this.action = action;
        }
    }

    /**
     * Wraps a store.
     *
     * @param store the target of the calls
     * @return the wrapped store
     */
    public static InterleavingStore of(FeedStore store) {
        return new InterleavingStore(Arguments.nonNull("store", store));
    }

    /**
     * Runs an action right before the next call of a method.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param action what to run
     */
    public void before(String call, Runnable action) {
        Arguments.nonNull("action", action);
        Arguments.nonNull("call", call);
        before(call, 1, action);
    }

    /**
     * Runs an action right before a later call of a method.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param nth the number of the call from now on; 1 is the next
     * @param action what to run
     */
    public void before(String call, int nth, Runnable action) {
        Arguments.nonNull("action", action);
        Arguments.nonNull("call", call);
        add(new Waiting(call, true, nth, action));
    }

    /**
     * Runs an action right after the next call of a method, before its answer is returned.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param action what to run
     */
    public void after(String call, Runnable action) {
        Arguments.nonNull("action", action);
        Arguments.nonNull("call", call);
        after(call, 1, action);
    }

    /**
     * Runs an action right after a later call of a method, before its answer is returned.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param nth the number of the call from now on; 1 is the next
     * @param action what to run
     */
    public void after(String call, int nth, Runnable action) {
        Arguments.nonNull("action", action);
        Arguments.nonNull("call", call);
        add(new Waiting(call, false, nth, action));
    }

    /**
     * Counts calls of a method since this store was created.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @return how often it was called
     */
    public int calls(String call) {
        Arguments.nonNull("call", call);
        AtomicInteger count = calls.get(call);
        return count == null ? 0 : count.get();
    }

    /**
     * Remembers the latest reads: the reads since the last call that could change something. If an action leaves all
     * their answers unchanged, it could have come before them. Neither the store nor the caller would have seen a
     * difference. This holds while the clock stands still and only one thread calls.
     *
     * @return a function that repeats these reads, the latest first, without this store. It counts the reads with
     *     unchanged answers, up to the first changed one
     */
    public IntSupplier latestReads() {
        List<Read> latestFirst;
        synchronized (reads) {
            latestFirst = List.copyOf(reads);
        }
        return () -> (int) latestFirst.stream().takeWhile(Read::holds).count();
    }

    /**
     * The calls whose actions have not run yet. A test that ends with such calls has not tested what it was meant to
     * test.
     *
     * @return their names
     */
    public List<String> unreached() {
        synchronized (waiting) {
            return waiting.stream().map(action -> action.call).toList();
        }
    }

    @Override
    public Outbox outbox() {
        return store.outbox();
    }

    @Override
    public Outbox outboxForFollowers() {
        return store.outboxForFollowers();
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return store.inbox(limits);
    }

    @Override
    public FollowGraph graph() {
        return store.graph();
    }

    @Override
    public SeenMarks seenMarks() {
        return store.seenMarks();
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return store.rankSnapshots();
    }

    private void add(Waiting action) {
        synchronized (waiting) {
            waiting.add(action);
        }
    }

    private @Nullable Object call(Interception.Call call) throws Throwable {
        String operation = call.operation();
        count(operation);
        count(ANY);
        run(operation, true);
        if (!call.isRead()) {
            forgetReads();
        }
        Object answer;
        try {
            answer = call.proceed();
        } catch (Throwable e) {
            forgetReads();
            throw e;
        }
        if (call.isRead()) {
            remember(new Read(call, answer));
        }
        run(operation, false);
        return answer;
    }

    private void forgetReads() {
        synchronized (reads) {
            reads.clear();
        }
    }

    private void remember(Read read) {
        synchronized (reads) {
            reads.addFirst(read);
            if (reads.size() > REMEMBERED) {
                reads.removeLast();
            }
        }
    }

    private void count(String call) {
        calls.computeIfAbsent(call, key -> new AtomicInteger()).incrementAndGet();
    }

    private void run(String call, boolean before) {
        List<Runnable> due = new ArrayList<>();
        synchronized (waiting) {
            for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
                Waiting next = all.next();
                boolean named = next.call.equals(call) || next.call.equals(ANY);
                if (named && next.before == before && next.skip-- == 0) {
                    all.remove();
                    due.add(next.action);
                }
            }
        }
        due.forEach(Runnable::run);
    }
}
