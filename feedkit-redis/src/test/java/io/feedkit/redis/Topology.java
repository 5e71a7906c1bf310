package io.feedkit.redis;

import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Servers that all tests of this JVM share: alone, behind sentinels, and as a cluster; of each program that the machine has. */
public record Topology(String name, Supplier<String> uri) {

    /** For what takes long: all servers of Redis 6.2, which are the same everywhere, and a single one of every other program. */
    static List<Topology> few() {
        List<Topology> few = new ArrayList<>(of(RedisProgram.embedded()));
        RedisProgram.all().stream()
                .filter(program -> !program.equals(RedisProgram.embedded()))
                .forEach(program -> few.add(alone(program)));
        return few;
    }

    /** Servers of every program. */
    static List<Topology> all() {
        return RedisProgram.all().stream()
                .flatMap(program -> of(program).stream())
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
