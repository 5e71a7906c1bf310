package io.feedkit.survival.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.survival.chaos.Clients.Turn;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The run of one seed: starts servers and engines, runs clients and faults, and waits until all tasks are done. */
final class ChaosRun implements AutoCloseable {

    private static final int READERS = 12;
    private static final int AUTHORS = 7;
    private static final int READER_THREADS = 4;
    private static final int AUTHOR_THREADS = 2;
    private static final int FOLLOWER_THREADS = 2;
    private static final long MARGIN_MILLIS = 500;
    private static final long STALENESS_MILLIS = FeedEngineBuilder.DEFAULT_STALENESS.toMillis() + MARGIN_MILLIS;
    private static final Duration QUIET_LIMIT = Duration.ofMinutes(3);
    private static final int LAST_POSTS = 5;
    private static final int PAGE = 200;
    private static final int STALE_MILLIS = 20_000;
    private static final int ENGINES = 4;
    private static final int SMALL_CAP = 30;
    private static final int LARGE_CAP = 200;

    private final long seed;
    private final int aheadMillis;
    private final Random random;
    private final Deque<Runnable> closes = new ArrayDeque<>();
    private final long origin = System.currentTimeMillis();
    private final FeedModel model = new FeedModel(origin, STALENESS_MILLIS);
    private final List<String> readers = names("r", READERS);
    private final List<String> authors = names("a", AUTHORS);
    private final Report report;
    private final Clients clients;
    private final Faults faults;

    /**
     * @param printed how many violations of each rule are printed
     * @param aheadMillis how far ahead of the present posts may be dated
     */
    ChaosRun(long seed, int printed, int aheadMillis) {
        this.seed = seed;
        this.aheadMillis = aheadMillis;
        random = new Random(seed);
        PostgresServer postgres = opened(PostgresServer.start(Durability.DURABLE), PostgresServer::close);
        RedisServer redis = opened(RedisServer.start(Durability.DURABLE), RedisServer::close);
        String database = postgres.createDatabase();
        createTables(database);
        int cap = random.nextBoolean() ? SMALL_CAP : LARGE_CAP;
        List<FaultyProxy> proxies = new ArrayList<>();
        List<Seat> seats = new ArrayList<>();
        List<ProcessSeat> processes = new ArrayList<>();
        for (int i = 0; i < ENGINES; i++) {
            FaultyProxy toPostgres = opened(FaultyProxy.before(postgres.port()), FaultyProxy::close);
            FaultyProxy toRedis = opened(FaultyProxy.before(redis.port()), FaultyProxy::close);
            proxies.addAll(List.of(toPostgres, toRedis));
            boolean local = i < 2;
            EngineSettings settings = new EngineSettings(
                    (local ? "engine-" : "node-") + (i % 2 + 1),
                    toPostgres.url(database),
                    "redis://127.0.0.1:" + toRedis.port(),
                    i == 1 ? 0 : 1 + random.nextInt(2),
                    cap,
                    i == 0 ? STALE_MILLIS : 0);
            if (local) {
                seats.add(opened(Seat.of(settings), Seat::close));
            } else {
                ProcessSeat process = opened(new ProcessSeat(settings), ProcessSeat::close);
                process.start();
                processes.add(process);
                seats.add(process);
            }
        }
        report = new Report(seed, origin, printed, () -> faults().latest());
        clients = new Clients(seats, model, report);
        faults = new Faults(postgres, redis, proxies, processes, clients, READERS, 500 + random.nextInt(4000), origin);
    }

    private Faults faults() {
        return faults;
    }

    private <T> T opened(T resource, Consumer<T> close) {
        closes.push(() -> close.accept(resource));
        return resource;
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(n -> prefix + n).toList();
    }

    private static void createTables(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    /** Runs, and returns the number of violations. */
    int run(Duration duration) throws Exception {
        List<Followers> followers = new ArrayList<>();
        for (int i = 0; i < FOLLOWER_THREADS; i++) {
            followers.add(
                    new Followers(clients, part(i, FOLLOWER_THREADS), authors, fork(), 500 + random.nextInt(2000)));
        }
        followers.forEach(Followers::join);
        clients.seats().forEach(seat -> faults.changePolicy(seat, random));
        try (Threads load = new Threads();
                Threads trouble = new Threads()) {
            followers.forEach(each -> repeat(load, each::step));
            for (int i = 0; i < READER_THREADS; i++) {
                repeat(load, new Readers(clients, part(i % 2, 2), fork())::step);
            }
            int pause = 30 + random.nextInt(150);
            for (int i = 0; i < AUTHOR_THREADS; i++) {
                repeat(load, new Authors(clients, "p" + i + "-", authors, fork(), aheadMillis, pause)::step);
            }
            Random servers = fork();
            Random network = fork();
            Random workers = fork();
            repeat(trouble, () -> faults.ofServers(servers));
            repeat(trouble, () -> faults.ofNetwork(network));
            repeat(trouble, () -> faults.ofWorkers(workers));
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
            trouble.finish();
            load.finish();
        }
        checkQuiet();
        System.out.println(report.summary(model) + "; faults " + new TreeMap<>(faults.counts()));
        return report.violations();
    }

    private Random fork() {
        return new Random(random.nextLong());
    }

    private List<String> part(int index, int parts) {
        return IntStream.range(0, READERS)
                .filter(n -> n % parts == index)
                .mapToObj(readers::get)
                .toList();
    }

    private static void repeat(Threads threads, Runnable step) {
        threads.start(() -> {
            while (threads.goOn()) {
                step.run();
            }
        });
    }

    private void checkQuiet() throws InterruptedException {
        awaitQuiet();
        checkAll(false);
        markAll();
        Authors last = new Authors(clients, "last-", authors, new Random(seed), aheadMillis, 1);
        for (int i = 0; i < LAST_POSTS; i++) {
            last.step();
        }
        awaitQuiet();
        checkAll(true);
    }

    private void checkAll(boolean marked) {
        for (String reader : readers) {
            List<Post> feed = model.feed(reader);
            for (Seat seat : clients.seats()) {
                checkFeed(seat, reader, feed);
                count(seat, reader, marked);
            }
        }
    }

    private void awaitQuiet() throws InterruptedException {
        long deadline = System.nanoTime() + QUIET_LIMIT.toNanos();
        while (true) {
            Answer answer = clients.ask(clients.seats().get(0), "backlog");
            if (answer.text().equals("0 0") && answer.isOk()) {
                break;
            }
            if (System.nanoTime() > deadline) {
                report.add(new Violation(Rule.FINAL_STATE, "tasks and dead letters are left: " + answer.text()));
                break;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        TimeUnit.MILLISECONDS.sleep(STALENESS_MILLIS);
    }

    private void checkFeed(Seat seat, String reader, List<Post> feed) {
        List<Post> shown = new ArrayList<>();
        Walk walk = new Walk(model);
        String request = "first " + PAGE + " plain " + reader;
        while (true) {
            Answer answer = clients.ask(seat, request);
            if (!answer.isOk()) {
                report.add(new Violation(Rule.FINAL_STATE, request + " failed after all faults had ended: " + answer));
                return;
            }
            Turn turn = clients.page(reader, request, answer);
            report.add(walk.add(turn.page()));
            shown.addAll(turn.page().posts());
            if (!turn.hasOlder()) {
                compare(answer.engine(), reader, shown, feed);
                return;
            }
            request = "older " + PAGE + " plain " + reader + " " + turn.older();
        }
    }

    private void compare(String engine, String reader, List<Post> shown, List<Post> feed) {
        if (!shown.equals(feed)) {
            List<Post> missing = new ArrayList<>(feed);
            missing.removeAll(shown);
            List<Post> tooMuch = new ArrayList<>(shown);
            tooMuch.removeAll(feed);
            report.add(new Violation(
                    Rule.FINAL_STATE,
                    "the feed of %s on %s has %d posts, expected %d; missing %s, surplus %s"
                            .formatted(reader, engine, shown.size(), feed.size(), missing, tooMuch)));
        }
    }

    private void count(Seat seat, String reader, boolean marked) {
        String request = "unread " + reader;
        Answer answer = clients.ask(seat, request);
        if (!answer.isOk() || (marked && !answer.text().endsWith(" exact"))) {
            report.add(new Violation(
                    Rule.FINAL_STATE, request + " gave no exact count after all faults had ended: " + answer));
        } else if (answer.text().endsWith(" exact")) {
            report.add(model.check(
                    new Call(answer.engine(), reader, request, answer.start(), answer.end()),
                    Long.parseLong(answer.text().substring(0, answer.text().indexOf(' ')))));
        }
    }

    private void markAll() {
        for (String reader : readers) {
            String request = "first " + PAGE + " plain " + reader;
            Turn first = clients.page(reader, request, clients.untilDone(random, request, false));
            int handle = model.marking(reader, ShownPosts.on(first.page()), System.currentTimeMillis());
            Answer done = clients.untilDone(random, "mark " + reader + " " + first.newer(), false);
            model.marked(reader, handle, done.end());
        }
    }

    @Override
    public void close() {
        closes.forEach(Runnable::run);
    }
}
