package io.feedkit.internal.publish;

import io.feedkit.FollowCounts;
import io.feedkit.PublishTransaction;
import io.feedkit.internal.cache.BacklogCache;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.TransactionalOutbox;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Answers the questions of policies about authors. During a transaction of the host, all store calls go through that
 * transaction: the connection pool may be empty while transactions wait for their publishes. Thread-safe.
 */
public final class AuthorStatusLookup {

    private final FollowGraph graph;
    private final RegisterCache registerCache;
    private final BacklogCache backlogs;

    public AuthorStatusLookup(FollowGraph graph, RegisterCache registerCache, BacklogCache backlogs) {
        this.graph = graph;
        this.registerCache = registerCache;
        this.backlogs = backlogs;
    }

    /** Returns a source that answers outside of transactions. */
    AuthorStatuses.Source plain() {
        return new AuthorStatuses.Source() {
            @Override
            public Map<String, FollowCounts> counts(Collection<String> users) {
                return graph.counts(users);
            }

            @Override
            public Predicate<String> pulled(Set<String> authors) {
                return registerCache.current(authors)::isPulled;
            }

            @Override
            public Duration backlogAge() {
                return backlogs.age();
            }
        };
    }

    /** Returns a source that answers within a transaction of the host, on the transaction's thread. */
    AuthorStatuses.Source within(PublishTransaction transaction, TransactionalOutbox outbox) {
        return new AuthorStatuses.Source() {
            @Override
            public Map<String, FollowCounts> counts(Collection<String> users) {
                return graph.joining(transaction).counts(users);
            }

            @Override
            public Predicate<String> pulled(Set<String> authors) {
                RegisterView known = registerCache.known(authors);
                if (known.isAbout(authors) && !registerCache.isStale()) {
                    return known::isPulled;
                }
                return outbox.pulledAmong(transaction, authors)::contains;
            }

            @Override
            public Duration backlogAge() {
                return backlogs.age(() -> outbox.invisibleSince(transaction));
            }
        };
    }
}
