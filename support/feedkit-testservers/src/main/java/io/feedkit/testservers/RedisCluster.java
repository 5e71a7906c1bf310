package io.feedkit.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of six servers: three masters that share the slots, each with a replica. A killed master is replaced
 * by its replica after some seconds. When it is restarted, it is a replica. Each server is killed and restarted
 * separately. Thread-safe.
 */
public final class RedisCluster implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final int NODES = 2 * MASTERS;
    private static final int SLOTS = 16_384;
    private static final int KEYS_AT_A_TIME = 100;
    private static final String MIGRATE_MILLIS = "10000";
    /** The distance between a member's port and its port for the other members. */
    private static final int BUS = 10_000;

    private static final List<String> OPTIONS = List.of("--cluster-enabled", "yes");

    /** Options of a shared cluster. It is not killed, and must not consider members of a busy machine dead. */
    private static final List<String> PATIENT = List.of("--cluster-node-timeout", "30000");

    private static final List<String> QUICK = List.of("--cluster-node-timeout", "5000");

    private final List<RedisServer> nodes;

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Starts a durable cluster of Redis 6.2.
     *
     * @return the cluster, which accepts writes, and whose replicas are in sync
     * @throws IllegalStateException if it is not ready in time
     */
    public static RedisCluster start() {
        return start(RedisProgram.embedded());
    }

    /**
     * Starts a durable cluster.
     *
     * @param program the servers' program
     * @param options further options of the members' command line
     * @return the cluster, which accepts writes, and whose replicas are in sync
     * @throws IllegalStateException if it is not ready in time
     */
    public static RedisCluster start(RedisProgram program, String... options) {
        return start(program, Durability.DURABLE, false, options);
    }

    /**
     * Returns the JVM's shared cluster of a program, which is {@link Durability#FAST}. The first call starts it; it
     * ends with the JVM.
     *
     * @param program the servers' program
     * @return the cluster
     */
    public static RedisCluster shared(RedisProgram program) {
        return Shared.CLUSTERS.computeIfAbsent(program, missing -> start(missing, Durability.FAST, true));
    }

    /**
     * Starts the servers of a cluster, which do not know each other yet.
     *
     * @return the cluster, which is down until it is {@link #form formed}
     */
    public static RedisCluster unformed() {
        return nodes(RedisProgram.embedded(), Durability.FAST, false);
    }

    private static RedisCluster start(RedisProgram program, Durability durability, boolean shared, String... options) {
        RedisCluster cluster = nodes(program, durability, shared, options);
        try {
            cluster.form();
            return cluster;
        } catch (RuntimeException e) {
            if (!shared) {
                cluster.close();
            }
            throw e;
        }
    }

    private static RedisCluster nodes(RedisProgram program, Durability durability, boolean shared, String... options) {
        List<String> all = Stream.of(OPTIONS, shared ? PATIENT : QUICK, List.of(options))
                .flatMap(List::stream)
                .toList();
        List<RedisServer> nodes = new ArrayList<>();
        try {
            while (nodes.size() < NODES) {
                nodes.add(RedisServer.start(program, Ports.free(BUS), durability, shared, all));
            }
            return new RedisCluster(nodes);
        } catch (RuntimeException e) {
            if (!shared) {
                nodes.forEach(RedisServer::close);
            }
            throw e;
        }
    }

    /** Joins the servers to a cluster, and returns when it accepts writes and the replicas are in sync. */
    public void form() {
        for (int i = 0; i < NODES; i++) {
            nodes.get(i).ask("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            nodes.get(i)
                    .ask(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            Integer.toString(nodes.get(0).port()));
        }
        for (int i = 0; i < MASTERS; i++) {
            List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS)
                    .forEach(slot -> command.add(Integer.toString(slot)));
            nodes.get(i).ask(command);
        }
        Waiting.until(
                "the members of a cluster know each other",
                () -> nodes.stream().allMatch(node -> members(node).size() == NODES));
        for (int i = MASTERS; i < NODES; i++) {
            nodes.get(i).ask("CLUSTER", "REPLICATE", id(nodes.get(i - MASTERS)));
        }
        awaitHealthy();
    }

    /**
     * Returns when all servers run and agree on the masters of all slots, and every replica is in sync.
     *
     * @throws IllegalStateException if this is not the case within two minutes
     */
    public void awaitHealthy() {
        Waiting.until("a cluster is healthy", () -> nodes.stream().allMatch(this::isHealthy) && membersAgree());
    }

    private boolean isHealthy(RedisServer node) {
        String replication = node.ask("INFO", "replication");
        boolean linked = replication.contains("role:master")
                ? replication.contains("state=online")
                : replication.contains("master_link_status:up");
        List<Member> members = members(node);
        return linked
                && node.ask("CLUSTER", "INFO").contains("cluster_state:ok")
                && members.size() == NODES
                && members.stream().filter(Member::isMaster).count() == MASTERS
                && members.stream().noneMatch(member -> member.flags().contains("fail"));
    }

    private boolean membersAgree() {
        return nodes.stream()
                        .filter(RedisServer::isRunning)
                        .map(node -> members(node).stream()
                                .filter(Member::isMaster)
                                .map(Member::claim)
                                .collect(Collectors.toSet()))
                        .distinct()
                        .count()
                == 1;
    }

    /**
     * Returns the cluster's address, which names all its members.
     *
     * @return its URI
     */
    public String uri() {
        return "redis-cluster://" + nodes.stream().map(RedisServer::address).collect(Collectors.joining(","));
    }

    /**
     * Returns the members.
     *
     * @return the six servers; those that were masters at first come first
     */
    public List<RedisServer> nodes() {
        return nodes;
    }

    /**
     * Returns the members that are masters now, as far as the running ones know.
     *
     * @return the running masters
     */
    public List<RedisServer> masters() {
        return nodes.stream()
                .filter(RedisServer::isRunning)
                .filter(node -> node.ask("INFO", "replication").contains("role:master"))
                .toList();
    }

    /**
     * Returns the master of a slot, as the running masters see it.
     *
     * @param slot the slot
     * @return its master, which need not be running
     */
    public RedisServer owner(int slot) {
        Member owner = members(masters().get(0)).stream()
                .filter(member -> member.isMaster() && member.has(slot))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no master has slot " + slot));
        return nodes.stream()
                .filter(node -> node.port() == owner.port())
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the slot of a key.
     *
     * @param key the key
     * @return its slot
     */
    public int slotOf(String key) {
        return Integer.parseInt(masters().get(0).ask("CLUSTER", "KEYSLOT", key));
    }

    /**
     * Moves a slot with its keys to another master, while clients use it.
     *
     * @param slot the slot
     * @param to the master that gets it
     * @throws IllegalStateException if the members do not agree within two minutes that it was moved
     */
    public void move(int slot, RedisServer to) {
        RedisServer from = owner(slot);
        beginMove(slot, to);
        while (moveSome(slot, to, KEYS_AT_A_TIME) > 0) {
            // There are more keys.
        }
        endMove(slot, from, to);
    }

    /**
     * Begins to move a slot: its keys stay, and new keys go to its next master.
     *
     * @param slot the slot
     * @param to the master that gets it
     */
    public void beginMove(int slot, RedisServer to) {
        RedisServer from = owner(slot);
        to.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        from.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    /**
     * Moves some keys of a slot that is being moved.
     *
     * @param slot the slot
     * @param to the master that gets it
     * @param most the largest number of keys to move
     * @return how many keys were found to move
     */
    public int moveSome(int slot, RedisServer to, int most) {
        RedisServer from = owner(slot);
        String keys = from.ask("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), Integer.toString(most));
        if (keys.isEmpty()) {
            return 0;
        }
        List<String> command = new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", MIGRATE_MILLIS, "KEYS"));
        command.addAll(keys.lines().toList());
        from.ask(command);
        return (int) keys.lines().count();
    }

    /**
     * Ends the move of a slot after all its keys were moved, and returns when all members agree on it. Otherwise a
     * member may know a master's newest epoch, but not a slot which that master got or gave up before. Such a member
     * makes others assign the slot to its old master, permanently and with the loss of its keys.
     *
     * @param slot the slot
     * @param from the master that had it
     * @param to the master that gets it
     * @throws IllegalStateException if they do not agree within two minutes
     */
    public void endMove(int slot, RedisServer from, RedisServer to) {
        String id = id(to);
        to.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id);
        from.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id);
        masters().stream()
                .filter(node -> node.port() != to.port() && node.port() != from.port())
                .forEach(node -> node.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id));
        Waiting.until("the members of a cluster agree", this::membersAgree);
    }

    private static String id(RedisServer node) {
        return node.ask("CLUSTER", "MYID");
    }

    private static List<Member> members(RedisServer node) {
        return node.ask("CLUSTER", "NODES").lines().map(Member::of).toList();
    }

    /**
     * Ends all servers, and deletes their data. A second call has no effect.
     *
     * @throws IllegalStateException if this cluster is shared
     */
    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    /** A line of CLUSTER NODES: id, address, flags, master, ping, pong, epoch, link, slots. */
    private record Member(int port, String flags, String epoch, List<String> slots) {

        static Member of(String line) {
            List<String> words = List.of(line.split(" ", -1));
            String address = words.get(1);
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1, address.indexOf('@')));
            return new Member(port, words.get(2), words.get(6), words.subList(8, words.size()));
        }

        boolean isMaster() {
            return flags.contains("master") && !slots.isEmpty();
        }

        /** The ranges of slots, without the slots that are being moved, which are in brackets. */
        private Stream<String> slotRanges() {
            return slots.stream().filter(range -> !range.startsWith("["));
        }

        /** The data of a master that other members must know before its slots can move. */
        List<Object> claim() {
            return List.of(port, epoch, slotRanges().toList());
        }

        boolean has(int slot) {
            return slotRanges().anyMatch(range -> {
                String[] ends = range.split("-", -1);
                return Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]);
            });
        }
    }

    private static final class Shared {
        static final Map<RedisProgram, RedisCluster> CLUSTERS = new ConcurrentHashMap<>();
    }
}
