package io.feedkit.testkit.forwarding;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.UnreadCounter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that runs other code right before or right after a chosen call, so that one thread can show any interleaving of two: what the other
 * thread would have done meanwhile is done by the call itself.
 *
 * <pre>{@code
 * InterleavingStore store = InterleavingStore.of(InMemoryFeedStore.create(clock));
 * store.after("inbox.deliver", () -> engine.delete("bob", "post-1")); // a worker is stopped between delivering and checking
 * engine.fanout().drain();
 * }</pre>
 *
 * <p>A call is named by its part and method: {@code inbox}, {@code outbox}, {@code pulledRegister}, {@code fanoutLog}, {@code followGraph} or
 * {@code unreadCounter}, a dot, and the method; {@link #ANY} is any call. An action runs once, and calls it makes itself pass through unless others wait for them. An
 * action that throws makes the call fail: before it took effect, or after. What a store answers later it is asked when the answer is waited for. Safe for use by many threads; actions run on the calling one.
 */
public final class InterleavingStore implements FeedStore {

    /** Stands for every call. */
    public static final String ANY = "any";

    private static final int REMEMBERED = 100;

    /** The calls that change nothing while the clock stands still: a slice may renew a live window, and the settled mark may be written down as time passes. */
    static final Set<String> READS = Set.of(
            "outbox.newest",
            "outbox.page",
            "outbox.existing",
            "outbox.counts",
            "outbox.lastAppended",
            "outbox.settledMark",
            "outbox.pulled",
            "outbox.fanout",
            "inbox.slice",
            "inbox.trustedSince",
            "pulledRegister.version",
            "pulledRegister.snapshot",
            "fanoutLog.depth",
            "fanoutLog.dead",
            "followGraph.followers",
            "followGraph.followees",
            "followGraph.followed",
            "followGraph.counts",
            "followGraph.split",
            "followGraph.joining",
            "unreadCounter.lastSeen");

    private final FeedStore store;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final Deque<Read> reads = new ArrayDeque<>();

    private InterleavingStore(FeedStore store) {
        this.store = store;
    }

    /** A call that changed nothing; asked again, it tells whether its answer still holds. */
    private record Read(
            Callable<@Nullable Object> call, @Nullable Object answer) {
        boolean holds() {
            try {
                return Objects.equals(call.call(), answer);
            } catch (Exception e) {
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
     * @param store what the calls are passed on to
     * @return the wrapped store
     */
    public static InterleavingStore of(FeedStore store) {
        return new InterleavingStore(requireNonNull(store, "store"));
    }

    /**
     * Runs an action right before the next call of a method.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param action what to run
     */
    public void before(String call, Runnable action) {
        before(call, 1, action);
    }

    /**
     * Runs an action right before a later call of a method.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param nth which call from now on; 1 is the next
     * @param action what to run
     */
    public void before(String call, int nth, Runnable action) {
        add(new Waiting(call, true, nth, action));
    }

    /**
     * Runs an action right after the next call of a method, before its answer is returned.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param action what to run
     */
    public void after(String call, Runnable action) {
        after(call, 1, action);
    }

    /**
     * Runs an action right after a later call of a method, before its answer is returned.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @param nth which call from now on; 1 is the next
     * @param action what to run
     */
    public void after(String call, int nth, Runnable action) {
        add(new Waiting(call, false, nth, action));
    }

    /**
     * Counts calls of a method since the store was made.
     *
     * @param call the part and the method, such as {@code inbox.deliver}
     * @return how often it was called
     */
    public int calls(String call) {
        AtomicInteger count = calls.get(call);
        return count == null ? 0 : count.get();
    }

    /**
     * Remembers the latest reads: those since the last call that could change something. An action that leaves all their answers as they were
     * could have come before them as well, and neither the store nor who asked would have seen a difference. Holds while the clock stands still
     * and one thread calls.
     *
     * @return asks the reads again, from the latest on, past this store, and counts those whose answers are what they were, until one is not
     */
    public IntSupplier latestReads() {
        List<Read> latestFirst;
        synchronized (reads) {
            latestFirst = List.copyOf(reads);
        }
        return () -> (int) latestFirst.stream().takeWhile(Read::holds).count();
    }

    /**
     * The calls whose actions have not run yet. A test that ends with some has not shown what it meant to show.
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
        return wrap("outbox", store.outbox());
    }

    @Override
    public Outbox outboxForFollowers() {
        return wrap("outbox", store.outboxForFollowers());
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return wrap("inbox", store.inbox(limits));
    }

    @Override
    public FollowGraph graph() {
        return wrap("followGraph", store.graph());
    }

    @Override
    public UnreadCounter unread() {
        return wrap("unreadCounter", store.unread());
    }

    private void add(Waiting action) {
        synchronized (waiting) {
            waiting.add(action);
        }
    }

    @SuppressWarnings("unchecked") // the proxy implements what the part implements
    private <T> T wrap(String name, T part) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> type = part.getClass(); type != null; type = type.getSuperclass()) {
            addInterfaces(type, interfaces);
        }
        return (T) Proxy.newProxyInstance(
                FeedStore.class.getClassLoader(),
                interfaces.toArray(Class<?>[]::new),
                (proxy, method, arguments) ->
                        method.isDefault() && method.getName().endsWith("Later")
                                ? later(part, proxy, method, arguments)
                                : call(name, part, method, arguments));
    }

    /** The call that a later answer stands for is made when it is waited for; a register that only answers at once goes on doing so. */
    private static Object later(Object part, Object proxy, Method method, Object @Nullable [] arguments)
            throws Throwable {
        return proxy instanceof PulledRegister register
                ? ((PulledRegister) part).versionLater().map(asked -> (LongSupplier) register::version)
                : InvocationHandler.invokeDefault(proxy, method, arguments);
    }

    /** Adds all interfaces of the SPI that a type extends or implements. */
    private static void addInterfaces(Class<?> type, Set<Class<?>> interfaces) {
        for (Class<?> each : type.getInterfaces()) {
            if (each.getPackageName().equals(FeedStore.class.getPackageName())) {
                interfaces.add(each);
            }
            addInterfaces(each, interfaces);
        }
    }

    private Object call(String name, Object part, Method method, Object @Nullable [] arguments) throws Throwable {
        String call = name + "." + method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(part, arguments);
        }
        count(call);
        count(ANY);
        run(call, true);
        boolean isRead = READS.contains(call);
        if (!isRead) {
            forgetReads();
        }
        Object answer;
        try {
            answer = method.invoke(part, arguments);
        } catch (InvocationTargetException e) {
            forgetReads();
            throw e.getCause();
        }
        Class<?> type = method.getReturnType();
        boolean isPart = type.isInterface() && type.getPackageName().equals(FeedStore.class.getPackageName());
        if (isRead) {
            remember(isPart ? new Read(() -> null, null) : new Read(() -> method.invoke(part, arguments), answer));
        }
        run(call, false);
        if (isPart) {
            String simple = type.getSimpleName();
            return wrap(simple.substring(0, 1).toLowerCase(Locale.ROOT) + simple.substring(1), answer);
        }
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
