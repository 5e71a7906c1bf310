package io.feedkit.redis.survival;

import static org.awaitility.Awaitility.await;

import io.feedkit.redis.internal.format.Keys;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Members;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Durable servers, of which one master is going to be killed.
 *
 * @param victim the master, which has the posts and the tasks of {@link Members#STAR}
 * @param heir the replica that will take its place
 * @param liveBus finds the server that has the channel of the live bus
 * @param master finds the server that has that place; fails while the others do not agree about it
 * @param settle lets the new master behind sentinels keep its place, even on a slow machine
 */
record Replicated(
        String uri,
        RedisServer victim,
        RedisServer heir,
        Supplier<RedisServer> liveBus,
        Supplier<RedisServer> master,
        Runnable settle,
        Runnable awaitHealthy,
        Runnable end)
        implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String STARS =
            new String(new Keys("feedkit").ofAuthor("posts", Members.STAR), StandardCharsets.US_ASCII);

    private static final String CHANNEL =
            new String(new Keys("feedkit").ofPartition("live", 0), StandardCharsets.US_ASCII);

    static Replicated cluster(RedisProgram program) {
        RedisCluster cluster = RedisCluster.start(program);
        List<RedisServer> nodes = cluster.nodes();
        int slot = cluster.slotOf(STARS);
        RedisServer victim = cluster.owner(slot);
        return new Replicated(
                cluster.uri(),
                victim,
                nodes.get(nodes.indexOf(victim) + MASTERS),
                () -> cluster.owner(cluster.slotOf(CHANNEL)),
                () -> cluster.owner(slot),
                () -> {},
                cluster::awaitHealthy,
                cluster::close);
    }

    static Replicated sentinels(RedisProgram program) {
        RedisSentinels sentinels = RedisSentinels.start(program);
        return new Replicated(
                sentinels.uri(),
                sentinels.master(),
                sentinels.replica(),
                sentinels::master,
                sentinels::master,
                sentinels::bePatient,
                sentinels::awaitHealthy,
                sentinels::close);
    }

    /** Returns when the replica has all that the master has written by now. */
    void awaitInStep() {
        long written = offset(victim, "master_repl_offset");
        await().atMost(LIMIT).until(() -> offset(heir, "slave_repl_offset") >= written);
    }

    /** Gives the replica a password that the master does not have, so that it cannot reconnect. */
    void cutOff() {
        heir.ask("CONFIG", "SET", "masterauth", "none");
        victim.ask("CLIENT", "KILL", "TYPE", "replica");
        await().atMost(LIMIT).until(() -> heir.ask("INFO", "replication").contains("master_link_status:down"));
    }

    /** Returns when the replica has the master's place. Behind sentinels it then keeps it on a slow machine, too. */
    void awaitPromoted() {
        await().atMost(LIMIT).ignoreExceptions().until(() -> master.get() == heir);
        settle.run();
        heir.ask("CONFIG", "SET", "masterauth", "");
    }

    private static long offset(RedisServer server, String name) {
        return server.ask("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        end.run();
    }

    /** Starts servers; the name is that of the test. */
    record Kind(String name, Supplier<Replicated> start) {

        static List<Kind> all() {
            return RedisProgram.all().stream()
                    .flatMap(program -> Stream.of(
                            new Kind(program + " as a cluster", () -> cluster(program)),
                            new Kind(program + " behind sentinels", () -> sentinels(program))))
                    .toList();
        }

        /** Each program once, as a cluster or behind sentinels in turn. A single program runs as both. */
        static List<Kind> someOfAll() {
            List<Kind> all = all();
            return all.size() == 2
                    ? all
                    : IntStream.range(0, all.size())
                            .filter(i -> i % 4 == 0 || i % 4 == 3)
                            .mapToObj(all::get)
                            .toList();
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
