package io.feedkit.survival.chaos;

import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes faults and ends them. One thread makes the faults of servers and nodes, others those of the network and the
 * workers.
 */
final class Faults {

    private static final List<Fault> OF_SERVERS = List.of(
            Fault.NODE_KILLED,
            Fault.REDIS_KILLED,
            Fault.REDIS_EMPTIED,
            Fault.REDIS_FLUSHED,
            Fault.REDIS_FROZEN,
            Fault.POSTGRES_KILLED,
            Fault.POSTGRES_FROZEN,
            Fault.ARCHIVE_KILLED,
            Fault.ARCHIVE_FROZEN);
    private static final List<Fault> OF_NETWORK = List.of(
            Fault.CONNECTIONS_RESET,
            Fault.CONNECTIONS_REFUSED,
            Fault.REQUESTS_LOST,
            Fault.REPLIES_LOST,
            Fault.REPLIES_CUT,
            Fault.NETWORK_SLOW,
            Fault.POLICY_CHANGED,
            Fault.POLICY_CHANGED);
    private static final List<String> POLICIES = List.of("push", "push", "hybrid", "hybrid", "active", "pull");

    /** The longest fault. Two faults at the same time end within the lease. */
    private static final int LONGEST_MILLIS = 3500;

    private static final int RECENT = 6;

    private final ChaosServers servers;
    private final List<FaultyProxy> proxies;
    private final List<ProcessSeat> processes;
    private final Clients clients;
    private final int readers;
    private final int pauseMillis;
    private final long origin;

    /** Until the database was down. Used by the thread that makes the faults of servers. */
    private long outage;

    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final Map<Fault, Long> underWay = new EnumMap<>(Fault.class);
    private final List<String> log = new ArrayList<>();

    /**
     * @param outage for how many milliseconds the database is down once; 0 for never
     * @param proxies the proxies between engines and servers
     * @param processes the processes that can be killed
     * @param readers how many followers an author can have
     * @param pauseMillis the longest pause between faults
     * @param origin when the run began
     */
    Faults(
            ChaosServers servers,
            long outage,
            List<FaultyProxy> proxies,
            List<ProcessSeat> processes,
            Clients clients,
            int readers,
            int pauseMillis,
            long origin) {
        this.servers = servers;
        this.outage = outage;
        this.proxies = List.copyOf(proxies);
        this.processes = List.copyOf(processes);
        this.clients = clients;
        this.readers = readers;
        this.pauseMillis = pauseMillis;
        this.origin = origin;
    }

    /** Makes one fault of a server or a node, and ends it. */
    void ofServers(Random random) {
        Clients.pause(random, pauseMillis);
        boolean longOne = outage > 0 && random.nextInt(OF_SERVERS.size()) == 0;
        make(longOne ? Fault.POSTGRES_DOWN : OF_SERVERS.get(random.nextInt(OF_SERVERS.size())), random);
    }

    /** Pauses the workers for a while, so that pushes wait as in a backlog. */
    void ofWorkers(Random random) {
        Clients.pause(random, pauseMillis);
        make(Fault.WORKERS_PAUSED, random);
    }

    /** Makes one fault of the network and ends it, or changes a policy. */
    void ofNetwork(Random random) {
        Clients.pause(random, pauseMillis);
        make(OF_NETWORK.get(random.nextInt(OF_NETWORK.size())), random);
    }

    private void make(Fault fault, Random random) {
        long start = begins(fault);
        String detail = switch (fault) {
            case NODE_KILLED -> killNode(random);
            case REDIS_KILLED -> between(servers.redis()::kill, random, servers.redis()::restart);
            case REDIS_EMPTIED -> between(servers.redis()::kill, random, servers.redis()::restartEmpty);
            case REDIS_FLUSHED -> servers.redis().ask("FLUSHALL");
            case REDIS_FROZEN -> frozen(servers.redis(), random);
            case POSTGRES_KILLED -> between(servers.postgres()::kill, random, servers.postgres()::restart);
            case POSTGRES_FROZEN -> frozen(servers.postgres(), random);
            case POSTGRES_DOWN -> longOutage();
            case ARCHIVE_KILLED -> between(servers.archive()::kill, random, servers.archive()::restart);
            case ARCHIVE_FROZEN -> frozen(servers.archive(), random);
            case WORKERS_PAUSED -> between(() -> askAll("pause"), random, () -> askAll("resume"));
            case POLICY_CHANGED -> changePolicy(clients.any(random), random);
            default -> onNetwork(fault, random);
        };
        record(fault, start, detail);
    }

    private static String frozen(TestServer server, Random random) {
        return between(server::freeze, random, server::thaw);
    }

    private String longOutage() {
        servers.postgres().kill();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(outage));
        servers.postgres().restart();
        outage = 0;
        return "";
    }

    /** Sends a request to all running engines. */
    private void askAll(String request) {
        clients.seats().forEach(seat -> clients.ask(seat, request));
    }

    private String killNode(Random random) {
        ProcessSeat seat = processes.get(random.nextInt(processes.size()));
        return between(seat::kill, random, seat::start);
    }

    /** Changes the policy of an engine. */
    String changePolicy(Seat seat, Random random) {
        String policy = POLICIES.get(random.nextInt(POLICIES.size())) + " " + (1 + random.nextInt(readers));
        return policy + " of " + clients.ask(seat, "policy " + policy).engine();
    }

    private String onNetwork(Fault fault, Random random) {
        int chosen = random.nextInt(proxies.size());
        FaultyProxy proxy = proxies.get(chosen);
        String held = between(() -> begin(fault, proxy, random), random, proxy::pass);
        return "proxy " + chosen + " " + held;
    }

    private static void begin(Fault fault, FaultyProxy proxy, Random random) {
        switch (fault) {
            case CONNECTIONS_REFUSED -> {
                proxy.refuse();
                proxy.resetAll();
            }
            case REQUESTS_LOST -> proxy.blackHole(Direction.REQUESTS);
            case REPLIES_LOST -> proxy.blackHole(Direction.REPLIES);
            case REPLIES_CUT -> proxy.cutAfterReplyBytes(random.nextInt(2000));
            case NETWORK_SLOW -> proxy.delay(Duration.ofMillis(1 + random.nextInt(200)));
            default -> proxy.resetAll();
        }
    }

    private static String between(Runnable begin, Random random, Runnable end) {
        begin.run();
        try {
            Clients.pause(random, LONGEST_MILLIS);
        } finally {
            end.run();
        }
        return "";
    }

    private synchronized long begins(Fault fault) {
        long now = System.currentTimeMillis();
        underWay.put(fault, now - origin);
        return now;
    }

    private synchronized void record(Fault fault, long start, String detail) {
        underWay.remove(fault);
        counts.merge(fault, 1, Integer::sum);
        log.add("%s [%d, %d] %s".formatted(fault, start - origin, System.currentTimeMillis() - origin, detail.strip()));
    }

    /** The latest faults that have ended, and those under way. */
    synchronized String latest() {
        return String.join("; ", log.subList(Math.max(0, log.size() - RECENT), log.size())) + "; since " + underWay;
    }

    synchronized Map<Fault, Integer> counts() {
        return Map.copyOf(counts);
    }
}
