package io.feedkit.redis;

import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Servers that all tests of this JVM share: one server, one behind sentinels, and a cluster, of each installed program.
 */
public record Topology(String name, Supplier<String> uri) {

    private static final boolean ALL =
            System.getProperty("feedkit.test.topologies", "").equals("all");

    /** The server that every build runs on. */
    static Topology everyBuild() {
        return alone(RedisProgram.embedded());
    }

    /**
     * The servers that only the full build runs on: the one of every build behind sentinels and as a cluster, and the
     * others alone. With {@code -Dfeedkit.test.topologies=all} the others are clusters, too.
     */
    static List<Topology> matrix() {
        RedisProgram everyBuild = RedisProgram.embedded();
        List<Topology> all = new ArrayList<>();
        for (RedisProgram program : RedisProgram.all()) {
            boolean isEveryBuilds = program.equals(everyBuild);
            all.add(isEveryBuilds ? sentinels(program) : alone(program));
            if (isEveryBuilds || ALL) {
                all.add(cluster(program));
            }
        }
        return all;
    }

    /**
     * The servers of {@link #matrix} on which whole feeds are tested: the cluster, and the last program that was found.
     * The other kits test the stores on each. With {@code -Dfeedkit.test.topologies=all} feeds are tested on each, too.
     */
    static List<Topology> matrixOfFeeds() {
        if (ALL) {
            return matrix();
        }
        List<RedisProgram> programs = RedisProgram.all();
        RedisProgram last = programs.get(programs.size() - 1);
        Topology cluster = cluster(RedisProgram.embedded());
        return last.equals(RedisProgram.embedded()) ? List.of(cluster) : List.of(cluster, alone(last));
    }

    private static Topology sentinels(RedisProgram program) {
        return new Topology(
                program.name() + " behind sentinels",
                () -> RedisSentinels.shared(program).uri());
    }

    private static Topology cluster(RedisProgram program) {
        return new Topology(
                program.name() + " as a cluster",
                () -> RedisCluster.shared(program).uri());
    }

    private static Topology alone(RedisProgram program) {
        return new Topology(program.name(), () -> RedisServer.shared(program).uri());
    }

    @Override
    public String toString() {
        return name;
    }
}
