package io.feedkit.internal.view;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.cache.CallCount;
import io.feedkit.internal.cache.RecentPostsCache;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of truth as feeds read it: the outboxes, the cached posts of pulled authors, and a breaker for the case
 * that the store is down. Thread-safe.
 */
public final class SourceOfTruth {

    private final CircuitBreaker breaker;
    private final Outbox outbox;
    private final RecentPostsCache recentPosts;
    private final OldPlaces oldPlaces;

    public SourceOfTruth(EngineSettings settings, Outbox outbox, RecentPostsCache recentPosts, OldPlaces oldPlaces) {
        this.breaker = new CircuitBreaker(
                settings, "the source of truth is down; pages are served from inboxes and from the engine's caches");
        this.outbox = outbox;
        this.recentPosts = recentPosts;
        this.oldPlaces = oldPlaces;
    }

    /** The failure of a page that needs more than the inbox and the engine's caches. */
    public static StoreUnavailableException isDown() {
        return new StoreUnavailableException(
                "feed.read",
                new IllegalStateException(
                        "the source of truth is down, and the page needs more than the inbox and the engine's caches"));
    }

    /** As {@link CircuitBreaker#ask}. */
    public <T> @Nullable T ask(Supplier<T> question) {
        return breaker.ask(question);
    }

    /** As {@link CircuitBreaker#watch}. */
    public <T> T watch(Supplier<T> call) {
        return breaker.watch(call);
    }

    /** The last failure, if there was one. */
    public Optional<Exception> lastFailure() {
        return breaker.lastFailure();
    }

    /** A merged page of outboxes. */
    public List<Post> page(PageQuery query) {
        return watch(() -> outbox.page(query));
    }

    /** As {@link Outbox#count}. */
    public List<Counted> count(List<CountQuery> queries) {
        return queries.isEmpty() ? List.of() : outbox.count(queries);
    }

    /** As {@link RecentPostsCache#of}. */
    public List<RecentPosts> recent(List<String> authors, RegisterView register, CallCount calls) {
        return watch(() -> recentPosts.of(authors, register, calls));
    }

    /** Caches the recent posts of those pulled authors whose posts a part of an inbox may have to be merged with. */
    void load(RegisterView register, SliceQuery query, CallCount calls) {
        List<String> pulled = register.pulled(register::isAbout, query.range(), query.order(), query.limit())
                .authors();
        if (pulled.size() <= RecentPostsCache.MOST_AT_ONCE) {
            List<RecentPosts> unused = recent(pulled, register, calls);
        }
    }

    /** The cached posts of pulled authors, which need no call. */
    public RecentPostsCache cached() {
        return recentPosts;
    }

    /** The entries of inboxes that are at places which their posts have left. */
    public Set<Post> atOldPlaces(Supplier<List<Post>> entries) {
        return oldPlaces == OldPlaces.NONE ? Set.of() : watch(() -> oldPlaces.among(entries.get()));
    }

    /** The tasks that are to be fanned out. */
    public FanoutLog fanout() {
        return outbox.fanout();
    }
}
