package io.feedkit.bench.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.bench.ProcessTimes;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL database with FeedKit's tables, and with hand-made tables, whose names begin with
 * {@code feedkit_bench_hand_}. All are removed at the end. A server that is started for it flushes each commit, and has
 * PostgreSQL's default settings.
 */
public final class BenchDatabase implements AutoCloseable {

    private static final String PREFIX = "feedkit_bench_";
    private static final int POOL_SIZE = 20;
    private static final int DEFAULT_POOL_SIZE = 10;

    private final Optional<PostgresServer> server;
    private final String url;
    private final List<String> handMade = new ArrayList<>();

    private BenchDatabase(Optional<PostgresServer> server, String url) {
        this.server = server;
        this.url = url;
    }

    /** Opens the database of a URL, or one on a new server. */
    public static BenchDatabase open(Optional<String> url) {
        if (url.isPresent()) {
            return new BenchDatabase(Optional.empty(), url.get()).created();
        }
        PostgresServer server = PostgresServer.start(Durability.DURABLE);
        try {
            return new BenchDatabase(Optional.of(server), server.createDatabase()).created();
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Another database on the same server, with FeedKit's tables. The server ends with this database. */
    public BenchDatabase another() {
        PostgresServer same =
                server.orElseThrow(() -> new IllegalStateException("only a server that was started here is known"));
        return new BenchDatabase(Optional.empty(), same.createDatabase()).created();
    }

    private BenchDatabase created() {
        schema().create();
        return this;
    }

    private JdbcSchema schema() {
        return JdbcSchema.of(plain(), "", PREFIX);
    }

    private PGSimpleDataSource plain() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        return source;
    }

    /** The URL for other processes. */
    public String url() {
        return url;
    }

    /** A store with a pool of its own. */
    public JdbcFeedStore store() {
        return storeAt(url);
    }

    /** A store on the database of another process. */
    public static JdbcFeedStore storeAt(String url) {
        return JdbcFeedStore.builder(url).prefix(PREFIX).poolSize(POOL_SIZE).build();
    }

    /** A store whose round trips are counted. */
    public JdbcFeedStore store(HikariDataSource counted) {
        return JdbcFeedStore.builder(counted).prefix(PREFIX).build();
    }

    /** A counted store without maintenance, whose round trips would count too. */
    public JdbcFeedStore storeWithoutMaintenance(HikariDataSource counted) {
        return JdbcFeedStore.builder(counted)
                .prefix(PREFIX)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    /** Counters on a pool. */
    CounterSource counters(HikariDataSource pool) {
        return JdbcCounterStore.builder(pool)
                .prefix(PREFIX)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    /** A pool. */
    HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(plain());
        config.setMaximumPoolSize(POOL_SIZE);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return new HikariDataSource(config);
    }

    /** A pool whose connections count. */
    public HikariDataSource pool(RoundTrips trips) {
        return pool(trips, DEFAULT_POOL_SIZE);
    }

    /** A pool of some size whose connections count. */
    public HikariDataSource pool(RoundTrips trips, int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(trips.counting(plain()));
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** An archive in this database, with its tables. */
    public PostArchive archive(HikariDataSource archivePool) {
        JdbcPostArchive.createTables(archivePool, "", PREFIX);
        return JdbcPostArchive.of(archivePool, "", PREFIX);
    }

    /** A connection for code written by hand. */
    public Connection connect() {
        return Sql.call(() -> DriverManager.getConnection(url));
    }

    /** Replaces the names of tables: <code>${post}</code> is FeedKit's, <code>${hand_entry}</code> is hand-made. */
    public String sql(String template) {
        return template.replaceAll("\\$\\{(\\w+)}", PREFIX + "$1");
    }

    /** Creates a hand-made table. */
    public void createTable(String name, String definition) {
        handMade.add(name);
        run("CREATE TABLE ${" + name + "} " + definition);
    }

    /** Runs a statement, such as one that loads. */
    public void run(String template) {
        Sql.run(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql(template));
            }
        });
    }

    /** The size of a table and its indexes, divided by its rows. */
    public double bytesOfRow(String table) {
        return Sql.call(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql("SELECT pg_total_relation_size('${" + table
                            + "}')::float8 / greatest(count(*), 1) FROM ${" + table + "}"))) {
                row.next();
                return row.getDouble(1);
            }
        });
    }

    /** The processor time that the server of this machine has used, in seconds. */
    public double cpuSeconds() {
        return ProcessTimes.seconds(process());
    }

    private long process() {
        return Sql.call(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
                row.next();
                return ProcessTimes.parent(row.getLong(1));
            }
        });
    }

    /** Does the work of autovacuum now. */
    public void settle(String... tables) {
        for (String table : tables) {
            run("VACUUM (ANALYZE) ${" + table + "}");
        }
        run("CHECKPOINT");
    }

    @Override
    public void close() {
        try {
            if (server.isEmpty()) {
                handMade.forEach(name -> run("DROP TABLE IF EXISTS ${" + name + "}"));
                schema().drop();
            }
        } finally {
            server.ifPresent(PostgresServer::close);
        }
    }
}
