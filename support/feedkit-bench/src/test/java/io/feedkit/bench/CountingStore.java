package io.feedkit.bench;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** An in-memory store that notes every call of an SPI operation: each is a round trip to a backend elsewhere. */
final class CountingStore implements FeedStore {

    /** Calls that engines make when they start or about once a second, whatever their hosts do, and one without I/O. */
    private static final Set<String> NOT_COUNTED =
            Set.of("inbox.deliveriesSafeSince", "inbox.claim", "outbox.identity", "outbox.holdsBack", "log.latestLoss");

    private final List<String> calls = new ArrayList<>();
    private final InMemoryFeedStore store;
    private final Outbox outbox;

    CountingStore(Clock clock) {
        store = InMemoryFeedStore.create(clock);
        PulledRegister pulled =
                counting("pulled", PulledRegister.class, store.outbox().pulled());
        FanoutLog log = counting("log", FanoutLog.class, store.outbox().fanout());
        outbox = proxy(Outbox.class, (method, args) -> switch (method.getName()) {
            case "pulled" -> pulled;
            case "fanout" -> log;
            default -> note("outbox", method, store.outbox(), args);
        });
    }

    /** The calls since the last time this was called. */
    List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return counting("inbox", Inbox.class, store.inbox(limits));
    }

    @Override
    public WritableFollowGraph graph() {
        return counting("graph", WritableFollowGraph.class, store.graph());
    }

    @Override
    public SeenMarks seenMarks() {
        return counting("seenMarks", SeenMarks.class, store.seenMarks());
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return store.rankSnapshots().map(part -> counting("rankSnapshots", RankSnapshots.class, part));
    }

    /** A question that is sent, and the calls until its answer is taken, are under way at the same time. */
    private Supplier<?> sent(String part, Method send, Object target, Object[] args) throws Throwable {
        String name = send.getName().substring("send".length()).toLowerCase(Locale.ROOT);
        int place = calls.size();
        Object answer = note(part, Inbox.class.getMethod(name, send.getParameterTypes()), target, args);
        return () -> {
            List<String> together = calls.subList(place, calls.size());
            String joined = String.join(" + ", together);
            together.clear();
            calls.add(joined);
            return answer;
        };
    }

    private interface Handler {
        Object handle(Method method, Object[] args) throws Throwable;
    }

    private <T> T counting(String part, Class<T> type, T target) {
        return proxy(type, (method, args) -> note(part, method, target, args));
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> method.isDefault() && method.getName().endsWith("Later")
                        ? InvocationHandler.invokeDefault(proxy, method, args)
                        : handler.handle(method, args)));
    }

    private Object note(String part, Method method, Object target, Object[] args) throws Throwable {
        if (method.getName().equals("sendsQuestions")) {
            return true;
        }
        if (method.getReturnType() == Supplier.class) {
            return sent(part, method, target, args);
        }
        String call = part + "." + method.getName();
        if (!NOT_COUNTED.contains(call)) {
            calls.add(call);
        }
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
