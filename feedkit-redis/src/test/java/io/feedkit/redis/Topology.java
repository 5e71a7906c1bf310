package io.feedkit.redis;

import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Servers that all tests of this JVM share: one server, one behind sentinels, and a cluster, of each installed program.
 */
public record Topology(String name, Supplier<String> uri) {

    /** The server that every build runs on. */
    static Topology everyBuild() {
        return alone(RedisProgram.embedded());
    }

    /** The servers that only the full build runs on: each as a cluster, one behind sentinels, the others alone too. */
    static List<Topology> matrix() {
        RedisProgram everyBuild = RedisProgram.embedded();
        return RedisProgram.all().stream()
                .flatMap(program ->
                        Stream.of(program.equals(everyBuild) ? sentinels(program) : alone(program), cluster(program)))
                .toList();
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
