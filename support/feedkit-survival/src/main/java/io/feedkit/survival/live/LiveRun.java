package io.feedkit.survival.live;

import static io.feedkit.survival.live.Load.pause;

import io.feedkit.Cursor;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.survival.live.Client.Manner;
import io.feedkit.survival.live.Ledger.Bounds;
import io.feedkit.testservers.TestServer;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One scenario with one seed: authors publish and delete, readers follow and unfollow, and clients hold live feeds and
 * reconnect now and then, while something fails. Afterwards each client is compared with the ledger. A seed decides
 * load and faults, not how threads take turns.
 */
final class LiveRun implements AutoCloseable {

    /**
     * The outcome.
     *
     * @param setting the bus, the policies, and what failed for how long
     * @param subscriptions how many subscriptions the clients had in all
     * @param follows how many follows and unfollows there were
     * @param settled the time from the last change until every client had everything
     */
    record Outcome(
            String setting,
            int clients,
            int subscriptions,
            int posts,
            int deletes,
            int follows,
            long events,
            long catchUps,
            Duration settled,
            List<String> violations) {

        @Override
        public String toString() {
            return setting + ": "
                    + "%d clients, %d subscriptions, %d posts, %d deletes, %d follows, %d events, %d of catch up"
                            .formatted(clients, subscriptions, posts, deletes, follows, events, catchUps)
                    + ", settled after " + settled.toMillis() + " ms";
        }
    }

    private static final int READERS = 12;
    private static final int CLIENTS_OF_READER = 2;
    private static final int AUTHOR_THREADS = 2;
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final Duration CALM_AFTER = Duration.ofSeconds(2);
    private static final int LONGEST_BUS_OUTAGE = 6000;
    private static final Duration LONGEST_HOSTILITY = Duration.ofSeconds(12);
    private static final Duration SETTLED = Duration.ofSeconds(40);
    private static final Duration REPEATED = Duration.ofMillis(1500);
    private static final int RECONNECT_THREADS = 8;

    /** How many posts of a feed may be published during a fault, so that cursors can list all of them. */
    private static final int LISTED = 30;

    private static final int MOST_POSTS_A_SECOND = 12;
    private static final int MOST_VIOLATIONS = 8;
    private static final long SAME_ENGINE = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long a bus may be silent before an engine notices it. */
    private static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(3500);

    private static final List<Manner> PEACEFUL =
            List.of(Manner.EAGER, Manner.EAGER, Manner.ONE_BY_ONE, Manner.SLOW, Manner.STALLED);
    private static final List<String> POLICIES = List.of("push", "pull", "6", "13");

    private final Scenario scenario;
    private final long seed;
    private final Duration down;
    private final int reconnects;
    private final Random random;
    private final long origin = System.nanoTime();
    private final Deque<Runnable> closes = new ArrayDeque<>();
    private final Ledger ledger = new Ledger();
    private final Bounds bounds;
    private final List<LiveEngine> engines = new ArrayList<>();
    private final List<LocalEngine> local = new ArrayList<>();
    private final Servers servers;
    private final Members members;
    private final Probes probes;
    private final String setting;
    private String fault = "";

    /**
     * @param down how long a store is down
     * @param reconnects how many clients reconnect at once
     */
    LiveRun(Scenario scenario, long seed, Duration down, int reconnects) {
        this.scenario = scenario;
        this.seed = seed;
        this.down = down;
        this.reconnects = reconnects;
        random = new Random(seed * 31 + scenario.name().hashCode());
        bounds = new Bounds(
                SAME_ENGINE,
                SAME_ENGINE
                        + FeedEngineBuilder.DEFAULT_STALENESS.toNanos()
                        + (scenario.isOfRedisBus() || scenario.isOfPostgresBus() ? SILENCE : 0));
        servers = opened(new Servers(scenario, random), Servers::close);
        members = new Members(scenario == Scenario.RECONNECTS ? reconnects : READERS, random);
        List<String> policies = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            LocalEngine engine = opened(LocalEngine.open(settings(name, policies)), LocalEngine::close);
            local.add(engine);
            engines.add(engine);
        }
        if (scenario == Scenario.ENGINE_KILLED) {
            engines.add(opened(new ProcessEngine(settings("three", policies)), ProcessEngine::close));
        }
        setting = servers.busKind() + ", policies " + policies;
        probes = opened(new Probes(ledger, random.nextLong()), Probes::close);
    }

    private EngineSettings settings(String name, List<String> policies) {
        String policy = POLICIES.get(random.nextInt(POLICIES.size()));
        policies.add(policy);
        return new EngineSettings(name, servers.database(), servers.redis().uri(), servers.bus(), policy);
    }

    private <T> T opened(T resource, Consumer<T> close) {
        closes.push(() -> close.accept(resource));
        return resource;
    }

    private Random fork() {
        return new Random(random.nextLong());
    }

    Outcome run() throws Exception {
        local.get(0).follow(members.edges());
        members.edges().forEach(edge -> ledger.followed(edge.reader(), edge.author()));
        if (scenario == Scenario.ENGINE_KILLED) {
            victim().start();
        }
        List<Client> clients = clients();
        try (Threads work = new Threads();
                Threads care = new Threads()) {
            Load load = new Load(engines, ledger, members, work);
            Random connecting = fork();
            clients.forEach(client -> client.connect(load.anEngine(connecting)));
            for (int i = 0; i < AUTHOR_THREADS; i++) {
                String prefix = "p" + i + "-";
                Random publishing = fork();
                work.start(() -> load.publish(prefix, interval(), publishing));
            }
            List<String> following = members.readers().subList(0, Math.min(READERS, reconnects));
            Random follows = fork();
            work.start(() -> load.follow(following, follows));
            Random caring = fork();
            work.start(() -> load.care(clients, caring));
            pause((int) CALM.toMillis());
            fault(clients);
            pause((int) CALM_AFTER.toMillis());
            work.finish();
            long end = System.nanoTime();
            care.start(() -> reconnectLost(clients, care));
            clients.forEach(Client::calm);
            Outcome outcome = verdict(clients, end);
            care.finish();
            clients.forEach(Client::close);
            return outcome;
        }
    }

    /** The pause of one author thread between posts, so that cursors can list all posts of a fault. */
    private Duration interval() {
        double seconds = (scenario.isOfStore() ? down : LONGEST_HOSTILITY).toSeconds() + 8.0;
        double rate = Math.min(MOST_POSTS_A_SECOND, LISTED * 100.0 / Members.SHARE / seconds);
        return Duration.ofMillis((long) (1000 * AUTHOR_THREADS / rate));
    }

    private List<Client> clients() {
        List<Client> clients = new ArrayList<>();
        boolean many = scenario == Scenario.RECONNECTS;
        Manner[] manners = Manner.values();
        for (int i = 0; i < members.readers().size() * (many ? 1 : CLIENTS_OF_READER); i++) {
            String reader = members.readers().get(i % members.readers().size());
            Manner manner = switch (scenario) {
                case HOSTILE_SUBSCRIBERS -> manners[i % manners.length];
                case RECONNECTS -> random.nextBoolean() ? Manner.EAGER : Manner.ONE_BY_ONE;
                default -> PEACEFUL.get(random.nextInt(PEACEFUL.size()));
            };
            boolean begins = !many && (scenario == Scenario.ENGINE_KILLED || random.nextBoolean());
            Optional<Cursor> cursor =
                    begins ? Optional.of(local.get(random.nextInt(2)).newest(reader)) : Optional.empty();
            clients.add(new Client(reader, manner, cursor, fork(), probes));
        }
        return clients;
    }

    private ProcessEngine victim() {
        return (ProcessEngine) engines.get(engines.size() - 1);
    }

    // Faults.

    private void fault(List<Client> clients) {
        switch (scenario) {
            case REDIS_BUS_KILLED, POSTGRES_BUS_KILLED -> killed(servers.busServer(), busOutage(), false);
            case REDIS_BUS_PAUSED, POSTGRES_BUS_PAUSED -> paused(servers.busServer(), busOutage());
            case REDIS_BUS_REPLACED, POSTGRES_BUS_REPLACED -> killed(servers.busServer(), busOutage(), true);
            case ENGINE_KILLED -> killEngine();
            case REDIS_DOWN -> {
                switch (random.nextInt(3)) {
                    case 0 -> killed(servers.redis(), down, false);
                    case 1 -> killed(servers.redis(), down, true);
                    default -> paused(servers.redis(), down);
                }
            }
            case POSTGRES_DOWN -> {
                if (random.nextBoolean()) {
                    killed(servers.postgres(), down, false);
                } else {
                    paused(servers.postgres(), down);
                }
            }
            case HOSTILE_SUBSCRIBERS -> {
                Duration hostile = down.compareTo(LONGEST_HOSTILITY) < 0 ? down : LONGEST_HOSTILITY;
                fault = "hostile for " + hostile.toMillis() + " ms";
                pause((int) hostile.toMillis());
            }
            case RECONNECTS -> reconnectAll(clients);
        }
    }

    private Duration busOutage() {
        return Duration.ofMillis(1 + random.nextInt(LONGEST_BUS_OUTAGE));
    }

    private void killed(TestServer server, Duration outage, boolean empty) {
        fault = (empty ? "killed and emptied" : "killed") + " for " + outage.toMillis() + " ms";
        server.kill();
        pause((int) outage.toMillis());
        if (empty) {
            server.restartEmpty();
        } else {
            server.restart();
        }
    }

    private void paused(TestServer server, Duration outage) {
        fault = "paused for " + outage.toMillis() + " ms";
        server.freeze();
        pause((int) outage.toMillis());
        server.thaw();
    }

    private void killEngine() {
        int kills = 1 + (int) (seed % 3);
        fault = kills + " kills";
        for (int i = 1; i <= kills; i++) {
            pause(random.nextInt(2000));
            victim().kill();
            pause(random.nextInt(1000));
            if (i < kills) {
                victim().start();
            }
        }
    }

    /** Reconnects every client to the other engine. */
    private void reconnectAll(List<Client> clients) {
        long begin = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(RECONNECT_THREADS);
        try {
            for (Client client : clients) {
                threads.execute(() -> {
                    LiveEngine before = client.stretches()
                            .get(client.stretches().size() - 1)
                            .engine();
                    client.connect(before == local.get(0) ? local.get(1) : local.get(0));
                });
            }
            threads.shutdown();
            if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the clients did not reconnect in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
        fault = "all reconnected within " + millisSince(begin) + " ms";
    }

    private void reconnectLost(List<Client> clients, Threads threads) {
        Random choosing = new Random(seed);
        while (threads.goOn()) {
            clients.stream()
                    .filter(Client::isDisconnected)
                    .forEach(client -> client.connect(local.get(choosing.nextInt(local.size()))));
            pause(100);
        }
    }

    private static long millisSince(long begin) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    // Checks.

    private Outcome verdict(List<Client> clients, long end) {
        Verdict verdict = new Verdict(ledger, bounds, origin);
        List<Client> waiting = new ArrayList<>(clients);
        while (!waiting.isEmpty() && System.nanoTime() - end < settleLimit().toNanos()) {
            waiting.removeIf(client -> verdict.missing(client).isEmpty());
            pause(waiting.isEmpty() ? 0 : 100);
        }
        Duration settled = Duration.ofNanos(System.nanoTime() - end);
        // Repetitions would come with the next poll of the store at the latest.
        pause((int) REPEATED.toMillis());
        List<String> violations = new ArrayList<>(probes.violations());
        clients.forEach(client -> {
            violations.addAll(verdict.surplus(client));
            violations.addAll(verdict.missing(client));
        });
        violations.addAll(new FinalPages(ledger, local).check(clients, new Random(seed)));
        int count = violations.size();
        List<String> first = new ArrayList<>(violations.subList(0, Math.min(MOST_VIOLATIONS, count)));
        if (count > MOST_VIOLATIONS) {
            first.add("and " + (count - MOST_VIOLATIONS) + " more");
        }
        return new Outcome(
                setting + ", " + fault,
                clients.size(),
                clients.stream().mapToInt(each -> each.stretches().size()).sum(),
                ledger.posts().size(),
                ledger.deletes(),
                ledger.changes(),
                events(clients, false),
                events(clients, true),
                settled,
                first);
    }

    private Duration settleLimit() {
        return scenario == Scenario.RECONNECTS ? SETTLED.plusMillis(20L * reconnects) : SETTLED;
    }

    private static long events(List<Client> clients, boolean catchUps) {
        return clients.stream()
                .flatMap(client -> client.stretches().stream())
                .flatMap(stretch -> stretch.arrivals().stream())
                .filter(arrival -> !catchUps || arrival.event() instanceof CatchUp)
                .count();
    }

    @Override
    public void close() {
        closes.forEach(Runnable::run);
    }
}
