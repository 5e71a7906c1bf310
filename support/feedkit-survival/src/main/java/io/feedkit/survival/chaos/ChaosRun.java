package io.feedkit.survival.chaos;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.survival.chaos.Clients.Turn;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.TestServer;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
    private static final int EARLY_POSTS = 150;
    private static final Duration FILL_LIMIT = Duration.ofSeconds(30);
    private static final int PAGE = 200;
    private static final int STALE_MILLIS = 20_000;
    private static final int ENGINES = 4;
    private static final int LOCAL_ENGINES = 2;
    private static final int SMALL_CAP = 30;
    private static final int LARGE_CAP = 200;

    private final long seed;
    private final ChaosOptions options;
    private final Random random;
    private final Deque<Runnable> closes = new ArrayDeque<>();
    private final long origin = System.currentTimeMillis();
    private final FeedModel model;
    private final List<String> readers = names("r", READERS);
    private final List<String> authors = names("a", AUTHORS);
    private final ChaosServers servers;
    private final Report report;
    private final Clients clients;
    private final Faults faults;
    private final Verifier verifier;

    ChaosRun(long seed, ChaosOptions options) {
        this.seed = seed;
        this.options = options;
        random = new Random(seed);
        model = new FeedModel(origin, STALENESS_MILLIS, Skew.of(options.skewMillis()));
        servers = opened(ChaosServers.start(), ChaosServers::close);
        int cap = random.nextBoolean() ? SMALL_CAP : LARGE_CAP;
        List<FaultyProxy> proxies = new ArrayList<>();
        List<Seat> seats = new ArrayList<>();
        List<ProcessSeat> processes = new ArrayList<>();
        for (int i = 0; i < ENGINES; i++) {
            EngineSettings settings = settings(i, cap, proxies);
            if (i < LOCAL_ENGINES) {
                seats.add(opened(Seat.of(settings), Seat::close));
            } else {
                ProcessSeat process = opened(new ProcessSeat(settings), ProcessSeat::close);
                process.start();
                processes.add(process);
                seats.add(process);
            }
        }
        report = new Report(seed, origin, options.printed(), () -> faults().latest());
        clients = new Clients(seats, model, report);
        faults = new Faults(
                servers,
                options.outageMillis(),
                proxies,
                processes,
                clients,
                READERS,
                500 + random.nextInt(4000),
                origin);
        verifier = new Verifier(clients, fork());
    }

    /** The first engine's clock is as far ahead as possible, and the third one's as far behind. */
    private EngineSettings settings(int i, int cap, List<FaultyProxy> proxies) {
        FaultyProxy toPosts = proxy(servers.postgres(), proxies);
        FaultyProxy toInboxes = proxy(servers.redis(), proxies);
        FaultyProxy toArchive = proxy(servers.archive(), proxies);
        int skew = options.skewMillis();
        return new EngineSettings(
                (i < LOCAL_ENGINES ? "engine-" : "node-") + (i % LOCAL_ENGINES + 1),
                toPosts.url(servers.database()),
                "redis://127.0.0.1:" + toInboxes.port(),
                i == 1 ? 0 : 1 + random.nextInt(2),
                cap,
                i == 0 ? STALE_MILLIS : 0,
                toArchive.url(servers.old()),
                switch (i) {
                    case 0 -> skew;
                    case LOCAL_ENGINES -> -skew;
                    default -> random.nextInt(-skew, skew + 1);
                });
    }

    private FaultyProxy proxy(TestServer server, List<FaultyProxy> proxies) {
        FaultyProxy proxy = opened(FaultyProxy.before(server.port()), FaultyProxy::close);
        proxies.add(proxy);
        return proxy;
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

    /** Runs, and returns the number of violations. */
    int run(Duration duration) throws Exception {
        List<Followers> followers = new ArrayList<>();
        for (int i = 0; i < FOLLOWER_THREADS; i++) {
            followers.add(
                    new Followers(clients, part(i, FOLLOWER_THREADS), authors, fork(), 500 + random.nextInt(2000)));
        }
        followers.forEach(Followers::join);
        fillArchive();
        clients.seats().forEach(seat -> faults.changePolicy(seat, random));
        try (Threads load = new Threads();
                Threads trouble = new Threads()) {
            followers.forEach(each -> repeat(load, each::step));
            for (int i = 0; i < READER_THREADS; i++) {
                repeat(load, new Readers(clients, part(i % 2, 2), fork())::step);
            }
            int pause = 30 + random.nextInt(150);
            for (int i = 0; i < AUTHOR_THREADS; i++) {
                repeat(load, new Authors(clients, "p" + i + "-", authors, fork(), options.aheadMillis(), pause)::step);
            }
            repeat(load, verifier::step);
            Random machines = fork();
            Random network = fork();
            Random workers = fork();
            repeat(trouble, () -> faults.ofServers(machines));
            repeat(trouble, () -> faults.ofNetwork(network));
            repeat(trouble, () -> faults.ofWorkers(workers));
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
            trouble.finish();
            load.finish();
        }
        checkQuiet();
        System.out.println(report.summary(model) + "; " + servers.onArchive(JdbcPostArchive::size)
                + " posts in the archive; " + verifier.summary() + "; faults " + new TreeMap<>(faults.counts()));
        return report.violations();
    }

    /** Publishes old posts while all engines push, and waits until they have moved. */
    private void fillArchive() throws InterruptedException {
        Authors early = new Authors(clients, "early-", authors, fork(), 0, 1);
        for (int i = 0; i < EARLY_POSTS; i++) {
            early.publishOld();
        }
        long deadline = System.nanoTime() + FILL_LIMIT.toNanos();
        while (servers.onArchive(JdbcPostArchive::size) < EARLY_POSTS && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
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
        Authors last = new Authors(clients, "last-", authors, new Random(seed), options.aheadMillis(), 1);
        for (int i = 0; i < LAST_POSTS; i++) {
            last.step();
        }
        awaitQuiet();
        checkAll(true);
        checkArchive();
        verifier.last();
        checkAll(true);
    }

    private void checkArchive() {
        Set<PostKey> left =
                servers.onArchive(archive -> archive.existing(model.deleted()).keySet());
        if (!left.isEmpty()) {
            report.add(new Violation(Rule.FINAL_STATE, "the archive has deleted posts: " + left));
        }
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
            int handle = model.marking(reader, ShownPosts.on(first.page(), model.skew()), System.currentTimeMillis());
            Answer done = clients.untilDone(random, "mark " + reader + " " + first.newer(), false);
            model.marked(reader, handle, done.end());
        }
    }

    @Override
    public void close() {
        closes.forEach(Runnable::run);
    }
}
