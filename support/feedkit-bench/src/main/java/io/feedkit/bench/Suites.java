package io.feedkit.bench;

import io.feedkit.bench.brokers.BrokersSuite;
import io.feedkit.bench.copies.CopiesSuite;
import io.feedkit.bench.core.CoreSuite;
import io.feedkit.bench.jdbc.JdbcSuite;
import io.feedkit.bench.live.LiveSuite;
import io.feedkit.bench.microblog.MicroblogSuite;
import io.feedkit.bench.production.ProductionSuite;
import io.feedkit.bench.redis.RedisSuite;
import io.feedkit.bench.scale.ScaleSuite;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of suites. A new suite gets a line here. */
final class Suites {

    private final List<Suite> all;

    /**
     * Suites that need a database use that of the URL, or start one. Measurements that need recorded data are left out
     * without its directory.
     *
     * @throws IllegalArgumentException if the directory lacks a file
     */
    Suites(Optional<String> url, Optional<Path> data) {
        all = List.of(
                CoreSuite.create(),
                JdbcSuite.create(url),
                RedisSuite.create(data),
                new Suite(
                        "unread",
                        "unread counts and counters",
                        Stream.of(RedisSuite.unread(), JdbcSuite.unread(url))
                                .flatMap(List::stream)
                                .toList()),
                ScaleSuite.create(),
                BrokersSuite.create(),
                LiveSuite.create(),
                ProductionSuite.create(data),
                CopiesSuite.create(),
                MicroblogSuite.create());
    }

    Optional<Suite> named(String name) {
        return all.stream().filter(suite -> suite.name().equals(name)).findFirst();
    }

    List<String> names() {
        return all.stream().map(Suite::name).toList();
    }
}
