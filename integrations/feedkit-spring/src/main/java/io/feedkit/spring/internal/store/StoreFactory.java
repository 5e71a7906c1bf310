package io.feedkit.spring.internal.store;

import static io.feedkit.spring.internal.settings.Setting.apply;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.PostsTable;
import io.feedkit.jdbc.SchemaVersionException;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.FeedKitProperties.Inboxes;
import io.feedkit.spring.FeedKitProperties.Store;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.internal.schema.SchemaSetup;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the store together from what the application has. */
public final class StoreFactory {

    private static final Logger log = LoggerFactory.getLogger(StoreFactory.class);

    private final FeedKitProperties properties;
    private final Database database;
    private final @Nullable RedisBackend redis;
    private final @Nullable FollowGraph graph;
    private final Clock clock;

    /**
     * Creates a factory.
     *
     * @param database the application's database, if it has one
     * @param redis Redis, if its address is known
     * @param graph the application's own follow graph
     * @param clock the clock of a store in memory
     */
    public StoreFactory(
            FeedKitProperties properties,
            Database database,
            @Nullable RedisBackend redis,
            @Nullable FollowGraph graph,
            Clock clock) {
        this.properties = properties;
        this.database = database;
        this.redis = redis;
        this.graph = graph;
        this.clock = clock;
    }

    /** Opens the store. */
    public StoreParts create() {
        return switch (properties.store()) {
            case AUTO -> automatic();
            case JDBC -> inSql(database.withTables().orElseThrow(StoreFactory::noDataSource));
            case REDIS -> inRedis(redis("feedkit.store", Store.REDIS));
            case MEMORY -> inMemory();
        };
    }

    private StoreParts automatic() {
        Optional<DataSource> found = database.withTables();
        if (found.isPresent()) {
            return inSql(found.get());
        }
        if (redis != null) {
            return inRedis(redis);
        }
        log.warn("FeedKit keeps all posts and feeds in memory: they are lost when the application ends, and other"
                + " instances do not see them. Configure a DataSource (spring.datasource.url), or set"
                + " feedkit.store=memory if this is meant");
        return inMemory();
    }

    private static InvalidSettingException noDataSource() {
        return new InvalidSettingException(
                "feedkit.store",
                name(Store.JDBC),
                "there is no DataSource bean.",
                "Set spring.datasource.url and add the JDBC driver, or choose another feedkit.store.",
                null);
    }

    private RedisBackend redis(String property, Enum<?> value) {
        if (redis == null) {
            throw new InvalidSettingException(
                    property,
                    name(value),
                    "the address of Redis is not known, or feedkit-redis is not on the class path.",
                    "Add io.feedkit:feedkit-redis, and set feedkit.redis.uri or spring.data.redis.host with Spring"
                            + " Data Redis.",
                    null);
        }
        return redis;
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private StoreParts inMemory() {
        InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
        PresenceStore presence = InMemoryPresenceStore.create(clock);
        return new StoreParts(
                ComposedStore.of(parts -> graph == null
                        ? memory
                        : FeedStore.of(
                                memory.outbox(),
                                memory::inbox,
                                graph,
                                memory.seenMarks(),
                                memory.rankSnapshots().orElseThrow())),
                Optional.empty(),
                false,
                () -> presence);
    }

    private StoreParts inRedis(RedisBackend backend) {
        RedisFeedStore[] opened = new RedisFeedStore[1];
        ComposedStore store = ComposedStore.of(parts -> {
            RedisFeedStore all = parts.add(backend.store());
            opened[0] = all;
            return graph == null
                    ? all
                    : FeedStore.of(
                            all.outbox(),
                            all::inbox,
                            graph,
                            all.seenMarks(),
                            all.rankSnapshots().orElseThrow());
        });
        return new StoreParts(store, Optional.empty(), true, () -> opened[0].presence());
    }

    private StoreParts inSql(DataSource dataSource) {
        Inboxes kind = properties.inboxes();
        boolean apart = kind == Inboxes.REDIS || (kind == Inboxes.AUTO && redis != null);
        PresenceSupplier presence = new PresenceSupplier();
        ComposedStore store = ComposedStore.of(parts -> {
            JdbcFeedStore sql = parts.add(sql(dataSource));
            FollowGraph follows = graph == null ? sql.graph() : graph;
            if (!apart) {
                presence.from = sql::presence;
                return graph == null
                        ? sql
                        : FeedStore.of(
                                sql.outbox(),
                                sql::inbox,
                                follows,
                                sql.seenMarks(),
                                sql.rankSnapshots().orElseThrow());
            }
            RedisInboxes inboxes =
                    parts.add(redis("feedkit.inboxes", Inboxes.REDIS).inboxes());
            presence.from = inboxes::presence;
            return FeedStore.of(sql.outbox(), inboxes::inbox, follows, sql.seenMarks(), inboxes.rankSnapshots());
        });
        return new StoreParts(store, Optional.of(dataSource), apart, presence);
    }

    /** Presence of the part that keeps the inboxes. */
    private static final class PresenceSupplier implements Supplier<PresenceStore> {

        private Supplier<PresenceStore> from = InMemoryPresenceStore::create;

        @Override
        public PresenceStore get() {
            return from.get();
        }
    }

    private JdbcFeedStore sql(DataSource dataSource) {
        FeedKitProperties.Jdbc given = properties.jdbc();
        JdbcFeedStore.Builder builder = JdbcFeedStore.builder(dataSource);
        apply("feedkit.jdbc.schema", given.schema(), builder::schema);
        apply("feedkit.jdbc.prefix", given.prefix(), builder::prefix);
        apply("feedkit.jdbc.timeout", given.timeout(), builder::timeout);
        apply("feedkit.jdbc.maintenance-interval", given.maintenanceInterval(), builder::maintenanceInterval);
        apply("feedkit.jdbc.notifications", given.notifications(), builder::notifications);
        apply("feedkit.jdbc.posts", given.posts(), posts -> builder.posts(posts(posts)));
        apply("feedkit.jdbc.follows", given.follows(), follows -> builder.follows(follows(follows)));
        try {
            return builder.build();
        } catch (SchemaVersionException e) {
            throw SchemaSetup.refused(properties.schema(), e);
        } catch (StoreUnavailableException e) {
            throw DataSources.unusable(given, dataSource, e);
        } catch (IllegalArgumentException e) {
            throw refused(given, dataSource, e);
        }
    }

    /** The messages of the builder begin with the setting. */
    private static InvalidSettingException refused(
            FeedKitProperties.Jdbc given, DataSource dataSource, IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        if (message.startsWith("posts ") && given.posts() != null) {
            return refused("feedkit.jdbc.posts.table", given.posts().table(), e);
        }
        if (message.startsWith("follows ") && given.follows() != null) {
            return refused("feedkit.jdbc.follows.table", given.follows().table(), e);
        }
        if (message.startsWith("notifications ")) {
            return refused("feedkit.jdbc.notifications", given.notifications(), e);
        }
        return DataSources.unusable(given, dataSource, e);
    }

    private static InvalidSettingException refused(String property, @Nullable Object value, Exception e) {
        return new InvalidSettingException(
                property, value, e.getMessage() + ".", "Change " + property + ", or what it names.", e);
    }

    private static PostsTable posts(FeedKitProperties.Posts given) {
        PostsTable table = PostsTable.named(given.table());
        table = given.schema() == null ? table : table.schema(given.schema());
        table = given.author() == null ? table : table.author(given.author());
        table = given.id() == null ? table : table.id(given.id());
        return table.publishedAt(
                given.publishedAt(), PostsTable.Time.valueOf(given.time().name()));
    }

    private static FollowsTable follows(FeedKitProperties.Follows given) {
        FollowsTable table = FollowsTable.named(given.table());
        table = given.schema() == null ? table : table.schema(given.schema());
        table = given.follower() == null ? table : table.follower(given.follower());
        return given.followee() == null ? table : table.followee(given.followee());
    }
}
