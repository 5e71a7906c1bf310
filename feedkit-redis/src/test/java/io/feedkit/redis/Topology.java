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

    /** The server that every build runs on. */
    static Topology everyBuild() {
        return alone(RedisProgram.embedded());
    }

    /** The servers that only the full build runs on. */
    static List<Topology> matrix() {
        RedisProgram everyBuild = RedisProgram.embedded();
        return RedisProgram.all().stream()
                .flatMap(program -> of(program).stream().skip(program.equals(everyBuild) ? 1 : 0))
                .toList();
    }

    private static List<Topology> of(RedisProgram program) {
        List<Topology> topologies = new ArrayList<>();
        topologies.add(alone(program));
        topologies.add(new Topology(
                program.name() + " behind sentinels",
                () -> RedisSentinels.shared(program).uri()));
        topologies.add(new Topology(
                program.name() + " as a cluster",
                () -> RedisCluster.shared(program).uri()));
        return topologies;
    }

    private static Topology alone(RedisProgram program) {
        return new Topology(program.name(), () -> RedisServer.shared(program).uri());
    }

    @Override
    public String toString() {
        return name;
    }
}
