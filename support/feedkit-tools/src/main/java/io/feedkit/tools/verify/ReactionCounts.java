package io.feedkit.tools.verify;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.tools.application.ApplicationOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Compares the counts of reactions with the reactions, where the store's address has a counter store. */
final class ReactionCounts {

    private static final String JDBC = "jdbc:";

    private final ApplicationOptions options;
    private final int limit;

    /** @param limit the most wrong counts */
    ReactionCounts(ApplicationOptions options, int limit) {
        this.options = options;
        this.limit = limit;
    }

    /** The wrong counts: in the database of the store, or else in Redis. */
    List<Repair> wrong(boolean repair) {
        String url = options.store();
        int jdbc = url.indexOf(JDBC);
        return jdbc < 0 ? inRedis(url, repair) : inSql(url.substring(jdbc), repair);
    }

    private List<Repair> inSql(String url, boolean repair) {
        try (HikariDataSource pool = options.pool(url);
                JdbcCounterStore store = JdbcCounterStore.builder(pool)
                        .prefix(options.tables())
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            return repair ? store.reconcile(limit) : store.wrongCounts(limit);
        }
    }

    private List<Repair> inRedis(String url, boolean repair) {
        try (RedisCounterStore store = RedisCounterStore.builder(RedisServers.at(url))
                .prefix(options.keys())
                .build()) {
            return repair ? store.reconcile(limit) : store.wrongCounts(limit);
        }
    }

    static void print(List<Repair> wrong, boolean repaired, PrintWriter out) {
        out.println("wrong counts of reactions: " + wrong.size());
        for (Repair count : wrong) {
            out.println("Post " + count.post() + " has " + count.is() + " reactions of kind " + count.kind()
                    + (count.choice().isEmpty() ? "" : " (" + count.choice() + ")") + ", but the count is "
                    + count.was() + "." + (repaired ? " Repaired." : ""));
        }
        out.flush();
    }
}
