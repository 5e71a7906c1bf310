package io.feedkit.tools.survival;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import java.time.Duration;

/**
 * A process that adds one to its own counter, and to one of all, and flushes all the time. It says what it knows of
 * each add, and lives until it is killed.
 */
final class CountingNode {

    private static final Duration OFTEN = Duration.ofMillis(5);
    private static final long PAUSE_MILLIS = 20;

    private CountingNode() {}

    /** Where the database is, where Redis is, and a name. */
    public static void main(String[] arguments) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcCounterStore sql = JdbcCounterStore.create(pool);
                WriteBehindCounterStore store = WriteBehindCounterStore.builder(RedisServers.at(arguments[1]), sql)
                        .flushInterval(OFTEN)
                        .build()) {
            Counters counters = Counters.of(store);
            System.out.println("ready");
            while (true) {
                add(counters, arguments[2]);
                add(counters, "all");
            }
        }
    }

    private static void add(Counters counters, String id) throws InterruptedException {
        try {
            counters.add("plays", id, 1);
            System.out.println("added " + id);
        } catch (OutcomeUnknownException e) {
            System.out.println("unknown " + id);
        } catch (StoreUnavailableException e) {
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
