package io.feedkit.survival.live;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.PostgresLiveBus;
import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveEvent;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisLiveBus;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.survival.Node;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An engine of this process, with posts and follow graph in PostgreSQL and inboxes in Redis. */
final class LocalEngine implements LiveEngine {

    /** The most posts of a page that is compared with what arrived. */
    static final int PAGE = 200;

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int POOL = 6;
    private static final int BUS_POOL = 3;
    private static final int BUFFER = 40;
    private static final int BULK = 1000;

    private final String name;
    private final Deque<Runnable> closes = new ArrayDeque<>();
    private final JdbcFeedStore sql;
    private final Node node;

    private LocalEngine(EngineSettings settings) {
        name = settings.name();
        sql = opened(
                JdbcFeedStore.builder(settings.database())
                        .poolSize(POOL)
                        .timeout(Duration.ofSeconds(2))
                        .maintenanceInterval(Duration.ofSeconds(1))
                        .build(),
                JdbcFeedStore::close);
        RedisInboxes redis = opened(
                RedisInboxes.builder(RedisServers.at(settings.inboxes()))
                        .timeout(TIMEOUT)
                        .startWithoutServer(true)
                        .build(),
                RedisInboxes::close);
        LiveBus bus = bus(settings.bus());
        node = opened(
                Node.on(() -> FeedStore.of(sql.outbox(), redis::inbox, sql.graph(), sql.seenMarks()), store -> {})
                        .named(name)
                        .policy(settings.fanoutPolicy())
                        .settings(builder -> builder.live(live -> {
                            live.bufferSize(BUFFER);
                            if (bus != null) {
                                live.bus(bus);
                            }
                        }))
                        .open(),
                Node::close);
    }

    /** Opens an engine. Fails if the database does not answer. */
    static LocalEngine open(EngineSettings settings) {
        return new LocalEngine(settings);
    }

    private <T> T opened(T resource, Consumer<T> close) {
        closes.push(() -> close.accept(resource));
        return resource;
    }

    private @Nullable LiveBus bus(String address) {
        if (address.equals(EngineSettings.NO_BUS)) {
            return null;
        }
        if (address.startsWith("redis")) {
            return opened(
                    RedisLiveBus.builder(RedisServers.at(address))
                            .timeout(TIMEOUT)
                            .build(),
                    RedisLiveBus::close);
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(address);
        config.setMaximumPoolSize(BUS_POOL);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(TIMEOUT.toMillis());
        config.setValidationTimeout(TIMEOUT.toMillis() / 2);
        HikariDataSource pool = opened(new HikariDataSource(config), HikariDataSource::close);
        return opened(PostgresLiveBus.create(pool), PostgresLiveBus::close);
    }

    FeedEngine feed() {
        return node.engine();
    }

    /** Writes edges before there are readers. */
    void follow(List<Edge> edges) {
        for (int from = 0; from < edges.size(); from += BULK) {
            ((WritableFollowGraph) sql.graph()).add(edges.subList(from, Math.min(edges.size(), from + BULK)));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Post publish(String author, String id) {
        return feed().publish(author, id).post();
    }

    @Override
    public void delete(PostKey post) {
        feed().delete(post.author(), post.id());
    }

    @Override
    public void change(String reader, String author, boolean following) {
        if (following) {
            feed().follow(reader, author);
        } else {
            feed().unfollow(reader, author);
        }
    }

    @Override
    public Cursor newest(String reader) {
        return feed().read(reader, PageRequest.first(PAGE)).newer();
    }

    @Override
    public void subscribe(String reader, Optional<Cursor> since, Flow.Subscriber<LiveEvent> subscriber) {
        since.map(cursor -> feed().live(reader, cursor))
                .orElseGet(() -> feed().live(reader))
                .subscribe(subscriber);
    }

    @Override
    public void close() {
        closes.forEach(Runnable::run);
    }
}
