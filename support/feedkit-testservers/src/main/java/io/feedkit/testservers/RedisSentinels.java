package io.feedkit.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Redis master with a replica, and three sentinels that watch them. When the master is killed, the sentinels promote
 * the replica after some seconds. Thread-safe.
 */
public final class RedisSentinels implements AutoCloseable {

    private static final String NAME = "feedkit";
    private static final int SENTINELS = 3;

    /** The time-out of shared servers. They are not killed, and must not be considered dead on a busy machine. */
    private static final int PATIENT_MILLIS = 30_000;

    private static final int QUICK_MILLIS = 1000;

    private final List<RedisServer> data;
    private final List<RedisServer> sentinels;

    private RedisSentinels(List<RedisServer> data, List<RedisServer> sentinels) {
        this.data = List.copyOf(data);
        this.sentinels = List.copyOf(sentinels);
    }

    /**
     * Starts durable servers of Redis 6.2.
     *
     * @return the servers; the replica is in sync, and the sentinels know each other
     * @throws IllegalStateException if they are not ready in time
     */
    public static RedisSentinels start() {
        return start(RedisProgram.embedded());
    }

    /**
     * Starts durable servers.
     *
     * @param program the servers' program
     * @return the servers; the replica is in sync, and the sentinels know each other
     * @throws IllegalStateException if they are not ready in time
     */
    public static RedisSentinels start(RedisProgram program) {
        return start(program, Durability.DURABLE, false);
    }

    /**
     * Returns the JVM's shared servers of a program, which are {@link Durability#FAST}. The first call starts them;
     * they end with the JVM.
     *
     * @param program the servers' program
     * @return the servers
     */
    public static RedisSentinels shared(RedisProgram program) {
        return Shared.SENTINELS.computeIfAbsent(program, missing -> start(missing, Durability.FAST, true));
    }

    private static RedisSentinels start(RedisProgram program, Durability durability, boolean shared) {
        List<RedisServer> data = new ArrayList<>();
        List<RedisServer> sentinels = new ArrayList<>();
        try {
            RedisServer master = RedisServer.start(program, Ports.free(), durability, shared, List.of());
            data.add(master);
            List<String> replica = List.of("--replicaof", "127.0.0.1", Integer.toString(master.port()));
            data.add(RedisServer.start(program, Ports.free(), durability, shared, replica));
            // Sentinels that start earlier find the replica only ten seconds later.
            Waiting.until("a replica is in sync", () -> data.stream().allMatch(RedisSentinels::isLinked));
            List<String> lines = configuration(master.port(), shared ? PATIENT_MILLIS : QUICK_MILLIS);
            while (sentinels.size() < SENTINELS) {
                sentinels.add(RedisServer.sentinel(program, shared, lines));
            }
            RedisSentinels all = new RedisSentinels(data, sentinels);
            all.awaitHealthy();
            return all;
        } catch (RuntimeException e) {
            if (!shared) {
                Stream.concat(sentinels.stream(), data.stream()).forEach(RedisServer::close);
            }
            throw e;
        }
    }

    private static List<String> configuration(int master, int silence) {
        return List.of(
                "sentinel monitor " + NAME + " 127.0.0.1 " + master + " 2",
                "sentinel down-after-milliseconds " + NAME + " " + silence,
                "sentinel failover-timeout " + NAME + " 6000");
    }

    private static boolean isLinked(RedisServer node) {
        String replication = node.ask("INFO", "replication");
        return replication.contains("role:master")
                ? replication.contains("state=online")
                : replication.contains("master_link_status:up");
    }

    /**
     * Returns when all servers run, the replica is in sync, and the sentinels know all servers.
     *
     * @throws IllegalStateException if this is not the case within two minutes
     */
    public void awaitHealthy() {
        Waiting.until(
                "sentinels and what they watch are healthy",
                () -> data.stream().allMatch(RedisSentinels::isLinked)
                        && sentinels.stream().allMatch(RedisSentinels::knowsAll)
                        && data.stream().anyMatch(this::isMaster));
    }

    private static boolean knowsAll(RedisServer sentinel) {
        String known = "\n" + sentinel.ask("SENTINEL", "MASTER", NAME) + "\n";
        return known.contains("\nflags\nmaster\n")
                && known.contains("\nnum-slaves\n1\n")
                && known.contains("\nnum-other-sentinels\n" + (SENTINELS - 1) + "\n");
    }

    /**
     * From now on a server is considered dead only after half a minute of silence, because servers of a busy machine
     * may be slow.
     */
    public void bePatient() {
        sentinels.forEach(sentinel ->
                sentinel.ask("SENTINEL", "SET", NAME, "down-after-milliseconds", Integer.toString(PATIENT_MILLIS)));
    }

    /**
     * Returns the address for clients.
     *
     * @return a URI that names the sentinels
     */
    public String uri() {
        return "redis-sentinel://"
                + sentinels.stream().map(RedisServer::address).collect(Collectors.joining(",")) + "#" + NAME;
    }

    /**
     * Returns the server that runs as the master, and is the master for all sentinels. A promoted replica does not
     * count until all sentinels know about it, because they may revert the promotion.
     *
     * @return the master
     * @throws IllegalStateException if there is none
     */
    public RedisServer master() {
        return running(this::isMaster);
    }

    /**
     * Returns the server that is the replica now, and is running.
     *
     * @return the replica
     * @throws IllegalStateException if there is none
     */
    public RedisServer replica() {
        return running(node -> hasRole(node, "slave"));
    }

    private RedisServer running(Predicate<RedisServer> wanted) {
        return data.stream()
                .filter(RedisServer::isRunning)
                .filter(wanted)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no server with this role is running"));
    }

    private boolean isMaster(RedisServer node) {
        return hasRole(node, "master")
                && sentinels.stream()
                        .map(sentinel -> sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME))
                        .allMatch(named -> named.endsWith("\n" + node.port()));
    }

    private static boolean hasRole(RedisServer node, String role) {
        return node.ask("INFO", "replication").contains("role:" + role);
    }

    /**
     * Returns the sentinels.
     *
     * @return the three servers
     */
    public List<RedisServer> sentinels() {
        return sentinels;
    }

    /**
     * Ends all servers, and deletes their data. A second call has no effect.
     *
     * @throws IllegalStateException if these servers are shared
     */
    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        data.forEach(RedisServer::close);
    }

    private static final class Shared {
        static final Map<RedisProgram, RedisSentinels> SENTINELS = new ConcurrentHashMap<>();
    }
}
