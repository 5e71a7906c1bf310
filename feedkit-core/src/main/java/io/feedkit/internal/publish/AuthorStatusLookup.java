package io.feedkit.internal.publish;

import io.feedkit.PublishTransaction;
import io.feedkit.internal.cache.BacklogCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowCounts;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Snapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Answers what policies ask.
 *
 * <p>While a transaction of the host is open, its thread holds a connection. It takes no other one, and waits for no thread that may need one: if transactions hold all
 * connections of a pool, such a wait ends with the pool's time-out only. So within a transaction there is no lock, and what is not known is asked on the transaction's connection. Its answer may be
 * as old as the transaction's snapshot, and is therefore not given to {@link RegisterView}, by which pages go. Thread-safe.
 */
final class AuthorStatusLookup {

    /** The register as a transaction saw it. */
    private record Seen(Snapshot snapshot, long at) {}

    private final EngineSettings settings;
    private final FollowGraph graph;
    private final RegisterView register;
    private final BacklogCache backlogs;
    private volatile Seen seen = new Seen(Snapshot.EMPTY, Long.MIN_VALUE);

    AuthorStatusLookup(EngineSettings settings, FollowGraph graph, RegisterView register, BacklogCache backlogs) {
        this.settings = settings;
        this.graph = graph;
        this.register = register;
        this.backlogs = backlogs;
    }

    /** Answers outside of transactions. */
    AuthorStatuses.Source plain() {
        return new AuthorStatuses.Source() {
            @Override
            public Map<String, FollowCounts> counts(Collection<String> users) {
                return graph.counts(users);
            }

            @Override
            public Predicate<String> pulled() {
                register.refreshIfStale();
                return register::isPulled;
            }

            @Override
            public Duration backlogAge() {
                return backlogs.age();
            }
        };
    }

    /** Answers within a transaction of the host, to its thread. */
    AuthorStatuses.Source within(PublishTransaction transaction, Outbox joined) {
        return new AuthorStatuses.Source() {
            @Override
            public Map<String, FollowCounts> counts(Collection<String> users) {
                FollowGraph joinedGraph = graph.joining(transaction);
                return joinedGraph.counts(users);
            }

            @Override
            public Predicate<String> pulled() {
                return register.isStale() ? seenIn(joined) : register::isPulled;
            }

            @Override
            public Duration backlogAge() {
                return backlogs.age(joined.fanout());
            }
        };
    }

    private Predicate<String> seenIn(Outbox joined) {
        Seen last = seen;
        long now = settings.now();
        if (!isFresh(last, now)) {
            PulledRegister register = joined.pulled();
            boolean same = last.at() != Long.MIN_VALUE
                    && register.version() == last.snapshot().version();
            last = new Seen(same ? last.snapshot() : register.snapshot(), now);
            seen = last;
        }
        return last.snapshot().pulled()::containsKey;
    }

    private boolean isFresh(Seen last, long now) {
        return last.at() <= now && now - settings.staleness().toMillis() < last.at();
    }
}
