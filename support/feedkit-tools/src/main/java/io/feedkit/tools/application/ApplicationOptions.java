package io.feedkit.tools.application;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedKitException;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.PostsTable;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.tools.servers.ShownUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where an application keeps its feeds, and how its engines are set. */
public final class ApplicationOptions {

    private static final String JDBC = "jdbc:";
    private static final String AND_JDBC = "+" + JDBC;
    private static final int CONNECTIONS = 2;

    @Option(
            names = "--store",
            paramLabel = "ADDRESS",
            defaultValue = "redis://127.0.0.1:6379",
            description =
                    "redis://HOST:PORT, a JDBC URL, or redis://HOST:PORT+jdbc:... for inboxes in Redis beside SQL "
                            + "(default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets the default
    private String store;

    @Option(
            names = "--keys",
            paramLabel = "PREFIX",
            defaultValue = RedisInboxes.DEFAULT_PREFIX,
            description = "Prefix of the keys in Redis (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String keys;

    @Option(
            names = "--tables",
            paramLabel = "PREFIX",
            defaultValue = "feedkit_",
            description = "Prefix of the tables (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String tables;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the databases whose URLs name none.")
    private @Nullable String user;

    @Option(
            names = "--password",
            paramLabel = "PASSWORD",
            arity = "0..1",
            interactive = true,
            description = "Password of the databases; asked for if no value is given.")
    private char @Nullable [] password;

    @Option(
            names = "--posts",
            paramLabel = "TABLE:AUTHOR,ID,TIME,KIND",
            description = "The application's own table of posts, with its columns; KIND is MILLIS or TIMESTAMP.")
    private @Nullable String posts;

    @Option(
            names = "--follows",
            paramLabel = "TABLE:FOLLOWER,FOLLOWEE",
            description = "The application's own table of follows, with its columns.")
    private @Nullable String follows;

    @Option(
            names = "--archive",
            paramLabel = "JDBC-URL",
            description = "The database of the application's archive, with the same prefix of the tables.")
    private @Nullable String archive;

    @Option(names = "--own-posts", description = "If the application sets ownPosts.")
    private boolean ownPosts;

    @Option(
            names = "--max-followees",
            paramLabel = "N",
            defaultValue = "2147483647",
            description = "If the application sets maxFollowees.")
    private int maxFollowees;

    @Option(
            names = "--cap",
            paramLabel = "N",
            defaultValue = "" + FeedEngineBuilder.DEFAULT_CAP,
            description = "If the application sets cap (default: ${DEFAULT-VALUE}).")
    private int cap;

    /** For picocli. */
    public ApplicationOptions() {}

    /** An engine on the application's store, and what closes both. */
    private record OpenStore(FeedStore store, PresenceStore presence, Runnable onClose) {}

    /** An engine with the settings of the application's engines. It does no work of the application. */
    public static final class OpenEngine implements AutoCloseable {

        private final FeedEngine engine;
        private final List<Runnable> closes;

        private OpenEngine(FeedEngine engine, List<Runnable> closes) {
            this.engine = engine;
            this.closes = closes;
        }

        /**
         * The engine.
         *
         * @return the engine, without workers
         */
        public FeedEngine engine() {
            return engine;
        }

        @Override
        public void close() {
            engine.close();
            closes.forEach(Runnable::run);
        }
    }

    /**
     * The address of the store.
     *
     * @return the value of the option
     */
    public String store() {
        return store;
    }

    /**
     * The prefix of the tables.
     *
     * @return the value of the option
     */
    public String tables() {
        return tables;
    }

    /**
     * The prefix of the keys in Redis.
     *
     * @return the value of the option
     */
    public String keys() {
        return keys;
    }

    /**
     * Opens the store and the archive, and an engine on them.
     *
     * @param name the name of the engine
     * @return the engine
     * @throws IllegalArgumentException if an option cannot be used
     * @throws FeedKitException if the source of truth cannot be reached
     */
    public OpenEngine open(String name) {
        List<Runnable> closes = new ArrayList<>();
        try {
            OpenStore opened = openStore();
            closes.add(opened.onClose());
            FeedEngineBuilder builder = FeedEngine.builder(opened.store())
                    .name(name)
                    .workers(0)
                    .cap(cap)
                    .ownPosts(ownPosts)
                    .maxFollowees(maxFollowees)
                    .presence(opened.presence());
            if (archive != null) {
                HikariDataSource pool = pool(archive);
                closes.add(pool::close);
                builder.archive(JdbcPostArchive.of(pool, "", tables));
            }
            return new OpenEngine(builder.build(), closes);
        } catch (RuntimeException e) {
            closes.forEach(Runnable::run);
            throw e;
        }
    }

    /**
     * Opens a pool of connections to a database of the application, for what the engine does not open.
     *
     * @param url the JDBC URL of the database
     * @return the pool; the caller closes it
     * @throws IllegalArgumentException if the database cannot be reached
     */
    public HikariDataSource pool(String url) {
        boolean isNamed = user == null || url.toLowerCase(Locale.ROOT).contains("user=");
        return isNamed ? RunTables.pool(url, CONNECTIONS) : RunTables.pool(url, user, password(), CONNECTIONS);
    }

    private String password() {
        return password == null ? "" : new String(password);
    }

    private OpenStore openStore() {
        if (store.startsWith(JDBC)) {
            JdbcFeedStore sql = sql(store);
            return new OpenStore(sql, sql.presence(), sql::close);
        }
        if (!store.startsWith("redis")) {
            throw new IllegalArgumentException(
                    "--store must be redis://HOST:PORT, a JDBC URL or redis://HOST:PORT+jdbc:..., but is "
                            + ShownUrl.of(store));
        }
        int end = store.indexOf(AND_JDBC);
        if (end >= 0) {
            return parts(store.substring(0, end), store.substring(end + 1));
        }
        RedisFeedStore redis =
                RedisFeedStore.builder(RedisServers.at(store)).prefix(keys).build();
        return new OpenStore(redis, redis.presence(), redis::close);
    }

    /** Inboxes in Redis, which may be out of reach, and everything else in SQL. */
    private OpenStore parts(String redis, String jdbc) {
        JdbcFeedStore sql = sql(jdbc);
        try {
            RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(redis))
                    .prefix(keys)
                    .startWithoutServer(true)
                    .build();
            FeedStore parts = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
            return new OpenStore(parts, inboxes.presence(), () -> {
                inboxes.close();
                sql.close();
            });
        } catch (RuntimeException e) {
            sql.close();
            throw e;
        }
    }

    private JdbcFeedStore sql(String url) {
        JdbcFeedStore.Builder builder =
                JdbcFeedStore.builder(url).prefix(tables).poolSize(CONNECTIONS).maintenanceInterval(Duration.ZERO);
        Optional.ofNullable(user).ifPresent(name -> builder.credentials(name, password()));
        Optional.ofNullable(posts).map(ApplicationOptions::postsTable).ifPresent(builder::posts);
        Optional.ofNullable(follows).map(ApplicationOptions::followsTable).ifPresent(builder::follows);
        return builder.build();
    }

    private static PostsTable postsTable(String value) {
        String[] columns = columns("--posts", value, 4, "TABLE:AUTHOR,ID,TIME,KIND");
        return PostsTable.named(table(value))
                .author(columns[0])
                .id(columns[1])
                .publishedAt(columns[2], PostsTable.Time.valueOf(columns[3]));
    }

    private static FollowsTable followsTable(String value) {
        String[] columns = columns("--follows", value, 2, "TABLE:FOLLOWER,FOLLOWEE");
        return FollowsTable.named(table(value)).follower(columns[0]).followee(columns[1]);
    }

    private static String table(String value) {
        return value.substring(0, value.indexOf(':'));
    }

    private static String[] columns(String option, String value, int count, String form) {
        String[] columns = value.substring(value.indexOf(':') + 1).split(",", -1);
        if (value.indexOf(':') < 1 || columns.length != count) {
            throw new IllegalArgumentException(option + " must have the form " + form + ", but is " + value);
        }
        return columns;
    }
}
