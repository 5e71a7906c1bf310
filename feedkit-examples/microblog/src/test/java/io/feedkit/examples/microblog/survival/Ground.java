package io.feedkit.examples.microblog.survival;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A durable PostgreSQL server, a Redis server, and two application processes that use both. */
final class Ground implements AutoCloseable {

    /** What is killed and started again. */
    enum Role {
        SERVER,
        REDIS,
        POSTGRES
    }

    /** Shorter than in production, so that a killed server's work is continued within the test. */
    static final Duration LEASE = Duration.ofSeconds(5);

    private final PostgresServer postgres = PostgresServer.start(Durability.DURABLE);
    private final RedisServer redis = RedisServer.start(Durability.DURABLE);
    private final List<Application> applications;

    Ground() {
        List<String> properties = List.of(
                // A call to PostgreSQL must end within the lease.
                "spring.datasource.url=" + postgres.createDatabase() + "&connectTimeout=3&socketTimeout=4",
                "spring.datasource.username=postgres",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "microblog.rate-limit=off",
                // So that some authors are pulled, and some push to all of their followers.
                "feedkit.policy=hybrid(6)",
                "feedkit.fanout.lease=" + LEASE);
        applications = List.of(new Application(properties), new Application(properties));
        try {
            // One after the other, because the first creates the tables.
            applications.forEach(each -> {
                each.start();
                each.awaitAnswers();
            });
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    List<Application> applications() {
        return applications;
    }

    /** Kills a role, and returns what starts it again. */
    Outage kill(Role role, Random random) {
        return switch (role) {
            case SERVER -> kill(random.nextBoolean() ? applications : List.of(Calls.any(applications, random)));
            case REDIS -> {
                redis.kill();
                yield random.nextBoolean()
                        ? new Outage("Redis, which lost everything", redis::restartEmpty)
                        : new Outage("Redis", redis::restart);
            }
            case POSTGRES -> {
                postgres.kill();
                yield new Outage("PostgreSQL", postgres::restart);
            }
        };
    }

    private static Outage kill(List<Application> killed) {
        killed.forEach(Application::close);
        return new Outage(killed.size() + " of 2 servers", () -> {
            killed.forEach(Application::start);
            killed.forEach(Application::awaitAnswers);
        });
    }

    /** @param end starts what was killed, and returns when it answers */
    record Outage(String killed, Runnable end) {}

    @Override
    public void close() {
        applications.forEach(Application::close);
        redis.close();
        postgres.close();
    }
}
