package io.feedkit.bench.jdbc;

import io.feedkit.bench.Measurement;
import io.feedkit.bench.Suite;
import java.util.List;
import java.util.Optional;

/** The SQL store on PostgreSQL, against what a host would write by hand. */
public final class JdbcSuite {

    private JdbcSuite() {}

    /**
     * Lists the measurements.
     *
     * @param url an empty PostgreSQL database; each measurement creates its tables there and removes them. Without a
     *     URL each measurement starts a server of its own
     * @return the suite
     */
    public static Suite create(Optional<String> url) {
        return new Suite(
                "jdbc",
                "the SQL store on PostgreSQL",
                List.of(
                        new PullCost(url),
                        new PublishCost(url),
                        new BatchCost(url),
                        new DeliveryCost(url),
                        new FollowerPaging(url),
                        new LogThroughput(url),
                        new ReconciliationCost(url),
                        new VerifyCost(url),
                        new ImportCost(url),
                        new StatementCounts(url)));
    }

    /**
     * Lists the measurements of unread counts and counters.
     *
     * @param url as in {@link #create}
     * @return the measurements
     */
    public static List<Measurement> unread(Optional<String> url) {
        return List.of(new LikeCost(url), new WrittenBehind(url));
    }
}
