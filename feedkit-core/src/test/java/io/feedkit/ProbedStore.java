package io.feedkit;

import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store that counts calls, and runs something before or after those that a test names: by the SPI's interface and its
 * method, such as {@code Inbox.deliver}, or {@code *} for all.
 */
public final class ProbedStore implements FeedStore {

    private final FeedStore store;
    private final Map<String, Consumer<String>> before = new ConcurrentHashMap<>();
    private final Map<String, Runnable> after = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    public ProbedStore(FeedStore store) {
        this.store = store;
    }

    /** Runs something before each call, until another action replaces it. */
    public void before(String call, Runnable action) {
        before.put(call, arguments -> action.run());
    }

    /**
     * Runs something before each call whose arguments mention a text, until another action for that call replaces it.
     */
    public void before(String call, String mentioned, Runnable action) {
        before.put(call, arguments -> {
            if (arguments.contains(mentioned)) {
                action.run();
            }
        });
    }

    /** Shows each call's arguments, as text, to an observer before the call. */
    public void observe(String call, Consumer<String> observer) {
        before.put(call, observer);
    }

    /** Runs something after each call, before its answer is given, until another action replaces it. */
    public void after(String call, Runnable action) {
        after.put(call, action);
    }

    /** Makes each call fail as if the store could not be reached, until {@link #heal}. */
    public void fail(String call) {
        before(call, () -> {
            throw new StoreUnavailableException(call, null);
        });
    }

    public void heal() {
        before.clear();
        after.clear();
    }

    public int calls(String call) {
        AtomicInteger count = calls.get(call);
        return count == null ? 0 : count.get();
    }

    @Override
    public Outbox outbox() {
        return probe(Outbox.class, store.outbox());
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return probe(Inbox.class, store.inbox(limits));
    }

    @Override
    public FollowGraph graph() {
        return probe(WritableFollowGraph.class, store.graph());
    }

    @Override
    public SeenMarks seenMarks() {
        return probe(SeenMarks.class, store.seenMarks());
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return store.rankSnapshots().map(part -> probe(RankSnapshots.class, part));
    }

    /** A question that is sent counts as the call that it sends. It is answered as early as possible. */
    private Supplier<Object> sent(Object part, Class<?> type, Method send, Object[] arguments) throws Throwable {
        String name = send.getName().substring("send".length()).toLowerCase(Locale.ROOT);
        Method question = send.getDeclaringClass().getMethod(name, send.getParameterTypes());
        try {
            Object answer = call(part, type, question, arguments);
            return () -> answer;
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        }
    }

    private <T> T probe(Class<T> type, Object part) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                part instanceof TransactionalOutbox
                        ? new Class<?>[] {type, TransactionalOutbox.class}
                        : new Class<?>[] {type},
                (self, method, arguments) -> call(part, type, method, arguments)));
    }

    private Object call(Object part, Class<?> type, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("sendsQuestions")) {
            return true;
        }
        if (method.getReturnType() == Supplier.class) {
            return sent(part, type, method, arguments);
        }
        String call = type.getSimpleName().replace("Writable", "") + "." + method.getName();
        calls.computeIfAbsent(call, key -> new AtomicInteger()).incrementAndGet();
        before.getOrDefault(call, before.getOrDefault("*", unprobed -> {})).accept(Arrays.toString(arguments));
        Object answer;
        try {
            answer = method.invoke(part, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        after.getOrDefault(call, () -> {}).run();
        Class<?> returned = method.getReturnType();
        boolean isPart = returned.isInterface() && returned.getPackageName().equals(FeedStore.class.getPackageName());
        if (method.getName().equals("recordingEvents")) {
            return ((Optional<?>) answer)
                    .map(EventRecording.class::cast)
                    .map(recording -> new EventRecording(
                            probe(Outbox.class, recording.outbox()), probe(PostEventLog.class, recording.log())));
        }
        return isPart ? probe(returned, answer) : answer;
    }
}
