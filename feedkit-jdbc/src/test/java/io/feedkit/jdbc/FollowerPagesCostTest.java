package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cost of a page of a large author's followers: the number of rows that the database reads. */
class FollowerPagesCostTest {

    private static final int FOLLOWERS = Integer.getInteger("feedkit.test.followers", 50_000);
    private static final int LIMIT = 1_000;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @DisplayName("every page of a large author's followers reads only its own rows, wherever it begins")
    void flat(Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind);
                HikariDataSource single = single(test.url())) {
            Database database =
                    new Database(single, new TableNames("", "feedkit_"), Optional.empty(), Duration.ofMinutes(2));
            fill(database, kind);
            JdbcFollowGraph graph = new JdbcFollowGraph(database);
            for (int walk = 0; walk < 2; walk++) {
                assertThat(walk(graph, database, kind)).isEqualTo(FOLLOWERS);
            }
            List<KeyRange> ranges = graph.split("bob", 4);
            assertThat(ranges).hasSize(4);
            assertThat(ranges.get(1).from()).isEqualTo(id(FOLLOWERS / 4));
            assertThat(cost(database, kind, () -> graph.counts(List.of("bob")))).isLessThan(10);
            List<FollowerQuery> queries = new ArrayList<>();
            ranges.forEach(range -> queries.add(new FollowerQuery("bob", range, "", LIMIT)));
            assertThat(cost(database, kind, () -> graph.followers(queries)))
                    .as("several ranges in one call")
                    .isLessThan(5L * LIMIT);
        }
    }

    private static HikariDataSource single(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return new HikariDataSource(config);
    }

    private static String id(int number) {
        return "reader-%07d".formatted(number);
    }

    private static void fill(Database database, Kind kind) {
        String numbers = kind == Kind.MARIADB
                ? "SELECT concat('reader-', lpad(seq, 7, '0')), 'bob' FROM seq_0_to_" + (FOLLOWERS - 1)
                : "SELECT 'reader-' || lpad(CAST(n AS text), 7, '0'), 'bob' FROM generate_series(0, " + (FOLLOWERS - 1)
                        + ") AS n";
        database.transaction("test", handle -> {
            handle.execute(database.sql("INSERT INTO ${follow} (reader, author) " + numbers));
            return handle.execute(database.sql("INSERT INTO ${follow_count} VALUES ('bob', " + FOLLOWERS + ", 0)"));
        });
        database.statement(
                "test",
                handle -> handle.execute(
                        database.sql(kind == Kind.MARIADB ? "ANALYZE TABLE ${follow}" : "VACUUM ANALYZE ${follow}")));
    }

    private static int walk(JdbcFollowGraph graph, Database database, Kind kind) {
        String after = "";
        int seen = 0;
        boolean more = true;
        while (more) {
            List<IdPage> pages = new ArrayList<>();
            FollowerQuery query = new FollowerQuery("bob", KeyRange.ALL, after, LIMIT);
            assertThat(cost(database, kind, () -> pages.addAll(graph.followers(List.of(query)))))
                    .isLessThan(LIMIT + 50L);
            IdPage page = pages.get(0);
            seen += page.ids().size();
            after = page.ids().get(page.ids().size() - 1);
            more = page.more();
        }
        return seen;
    }

    private static long cost(Database database, Kind kind, Runnable work) {
        long before = rowsRead(database, kind);
        work.run();
        return rowsRead(database, kind) - before;
    }

    private static long rowsRead(Database database, Kind kind) {
        String sql = kind == Kind.MARIADB
                ? "SELECT CAST(sum(variable_value) AS SIGNED) FROM information_schema.session_status"
                        + " WHERE variable_name IN ('HANDLER_READ_NEXT', 'HANDLER_READ_KEY',"
                        + " 'HANDLER_READ_RND_NEXT', 'HANDLER_READ_PREV')"
                : "SELECT CAST((SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
                        + " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) AS bigint)";
        return database.read("test", handle -> {
            if (kind == Kind.POSTGRESQL) {
                handle.createQuery("SELECT CAST(pg_stat_force_next_flush() AS text)")
                        .mapTo(String.class)
                        .list();
            }
            long read = handle.createQuery(sql).mapTo(Long.class).one();
            if (kind == Kind.POSTGRESQL) {
                handle.createQuery("SELECT CAST(pg_stat_force_next_flush() AS text)")
                        .mapTo(String.class)
                        .list();
            }
            return read;
        });
    }
}
