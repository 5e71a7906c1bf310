package io.feedkit.bench.production;

import io.feedkit.bench.Suite;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The production shape, against SQL alone, an idle engine, or code written by hand. */
public final class ProductionSuite {

    private ProductionSuite() {}

    /**
     * Lists the measurements. They start servers of their own.
     *
     * @param data the directory of recorded follows and posts
     * @return the suite
     * @throws IllegalArgumentException if a file is missing
     */
    public static Suite create(Optional<Path> data) {
        return new Suite(
                "production",
                "outbox and graph in PostgreSQL, inboxes in Redis, and an archive in a second database",
                List.of(
                        new PublishToVisible(),
                        new WeekCost(data),
                        new MoverRate(),
                        new BesideMover(),
                        new TierWalk(),
                        new TableSizes(),
                        new VerifyRate()));
    }
}
