package io.feedkit.tools.verify;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.tools.servers.RunTables;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Compares the counts of reactions with the reactions, where the store's address has a counter store. */
final class ReactionCounts {

    private static final int CONNECTIONS = 2;
    private static final String JDBC = "jdbc:";

    private final String tablePrefix;
    private final String keyPrefix;
    private final int limit;

    /** @param limit the most wrong counts */
    ReactionCounts(String tablePrefix, String keyPrefix, int limit) {
        this.tablePrefix = tablePrefix;
        this.keyPrefix = keyPrefix;
        this.limit = limit;
    }

    /** The wrong counts: in the database of the store, or else in Redis. */
    List<Repair> wrong(String url, boolean repair) {
        int jdbc = url.indexOf(JDBC);
        return jdbc < 0 ? inRedis(url, repair) : inSql(url.substring(jdbc), repair);
    }

    private List<Repair> inSql(String url, boolean repair) {
        try (HikariDataSource pool = RunTables.pool(url, CONNECTIONS);
                JdbcCounterStore store = JdbcCounterStore.builder(pool)
                        .prefix(tablePrefix)
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            return repair ? store.reconcile(limit) : store.wrongCounts(limit);
        }
    }

    private List<Repair> inRedis(String url, boolean repair) {
        try (RedisCounterStore store = RedisCounterStore.builder(RedisServers.at(url))
                .prefix(keyPrefix)
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
