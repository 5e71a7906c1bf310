package io.feedkit.bench.live;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Counts the calls of each thread to a store. Calls of one thread are the round trips that its reads wait for.
 * Thread-safe.
 */
final class StoreCalls implements ForwardingFeedStore {

    private final FeedStore store;
    private final ThreadLocal<Long> calls = ThreadLocal.withInitial(() -> 0L);

    StoreCalls(FeedStore store) {
        this.store = store;
    }

    /** The calls of this thread so far. */
    long ofThisThread() {
        return calls.get();
    }

    @Override
    public FeedStore delegate() {
        return store;
    }

    @Override
    public Outbox outbox() {
        Outbox counted = counting(Outbox.class, store.outbox());
        PulledRegister pulled = counting(PulledRegister.class, store.outbox().pulled());
        FanoutLog log = counting(FanoutLog.class, store.outbox().fanout());
        return new ForwardingOutbox() {
            @Override
            public Outbox delegate() {
                return counted;
            }

            @Override
            public PulledRegister pulled() {
                return pulled;
            }

            @Override
            public FanoutLog fanout() {
                return log;
            }
        };
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return counting(Inbox.class, store.inbox(limits));
    }

    @Override
    public FollowGraph graph() {
        return store.graph() instanceof WritableFollowGraph writable
                ? counting(WritableFollowGraph.class, writable)
                : counting(FollowGraph.class, store.graph());
    }

    @Override
    public SeenMarks seenMarks() {
        return counting(SeenMarks.class, store.seenMarks());
    }

    private <T> T counting(Class<T> type, T part) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            calls.set(calls.get() + 1);
            try {
                return method.invoke(part, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
