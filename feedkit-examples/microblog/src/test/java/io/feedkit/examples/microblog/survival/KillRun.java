package io.feedkit.examples.microblog.survival;

import static org.awaitility.Awaitility.await;

import io.feedkit.examples.microblog.survival.Ground.Outage;
import io.feedkit.examples.microblog.survival.Ground.Role;
import io.feedkit.examples.microblog.survival.Members.Member;
import io.feedkit.testservers.survival.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Kills each role once, in random order and at random times, while clients write, scroll and stream. A seed decides
 * load and faults, not how threads take turns.
 */
final class KillRun {

    /** @param violations what contradicted the oracle; empty if the clients were right */
    record Outcome(String summary, int posts, int interruptedWalks, List<String> violations) {}

    private static final int AUTHORS = 2;
    private static final int LISTENERS = 6;
    private static final int FIRST_SCROLLER = 4;
    private static final int SCROLLERS = 4;
    private static final int LONGEST_CALM_MILLIS = 1_500;
    private static final int SHORTEST_OUTAGE_MILLIS = 1_000;
    private static final Duration GO_ON_LIMIT = Duration.ofSeconds(60);
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(40);
    private static final Duration REPEATED = Duration.ofMillis(1_500);

    private final Ground ground;
    private final long seed;
    private final int longestOutageMillis;
    private final Duration delivered;
    private final Random random;
    private final Ledger ledger = new Ledger();
    private final Sightings sightings = new Sightings();
    private final Http http = new Http(ledger);
    private final Calls calls;
    private final Members members;
    private final List<Listener> listeners = new ArrayList<>();
    private final List<Scroller> scrollers = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();

    KillRun(Ground ground, long seed, Duration longestOutage) {
        this.ground = ground;
        this.seed = seed;
        longestOutageMillis = (int) longestOutage.toMillis();
        // Pushes are tried again after pauses that double.
        delivered = Ground.LEASE.plus(longestOutage.multipliedBy(2)).plusSeconds(10);
        random = new Random(seed);
        calls = new Calls(ground.applications(), http, ledger);
        members = new Members(calls, ledger);
    }

    Outcome run() throws Exception {
        long began = System.nanoTime();
        members.signUp(seed, fork());
        try (Threads work = new Threads();
                Threads streams = new Threads()) {
            try {
                return run(work, streams, began);
            } finally {
                listeners.forEach(Listener::close);
            }
        }
    }

    private Outcome run(Threads work, Threads streams, long began) throws Exception {
        start(work, streams);
        goOn(began);
        List<Role> roles = new ArrayList<>(Arrays.asList(Role.values()));
        Collections.shuffle(roles, random);
        List<String> faults = new ArrayList<>();
        for (Role role : roles) {
            faults.add(fault(role));
        }
        work.finish();
        long settled = settle();
        return outcome(faults, settled, began);
    }

    private Random fork() {
        return new Random(random.nextLong());
    }

    private void start(Threads work, Threads streams) {
        for (Member reader : members.all().subList(0, LISTENERS)) {
            Random own = fork();
            Answer page = calls.get(reader.token(), Scroller.HOME, own);
            String since =
                    Answer.json(page.feedkit().orElseThrow()).path("newer").asString();
            Listener listener = new Listener(ground.applications(), http, ledger, sightings, reader, since, own);
            listeners.add(listener);
            start(streams, threads -> listener.listen());
        }
        for (Member reader : members.all().subList(FIRST_SCROLLER, FIRST_SCROLLER + SCROLLERS)) {
            Scroller scroller = new Scroller(calls, ledger, sightings, reader, delivered, fork());
            scrollers.add(scroller);
            start(work, scroller::scroll);
        }
        for (int i = 0; i < AUTHORS; i++) {
            Author author = new Author(calls, ledger, members, "seed" + seed + "-author" + i + "-post", fork());
            clients.add(author);
            start(work, author::write);
        }
        Random follows = fork();
        start(work, threads -> members.changeFollows(threads, follows));
        clients.addAll(listeners);
        clients.addAll(scrollers);
    }

    private void start(Threads threads, Consumer<Threads> client) {
        threads.start(() -> {
            try {
                client.accept(threads);
            } catch (RuntimeException e) {
                ledger.violated("a client failed: " + e);
                throw e;
            }
        });
    }

    private String fault(Role role) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_CALM_MILLIS));
        http.takeLongestMillis();
        long killedAt = System.nanoTime();
        Outage outage = ground.kill(role, random);
        TimeUnit.MILLISECONDS.sleep(SHORTEST_OUTAGE_MILLIS + random.nextInt(longestOutageMillis));
        outage.end().run();
        long endedAt = System.nanoTime();
        goOn(endedAt);
        return "%s down for %d ms, longest request %d ms, all clients went on after %d ms"
                .formatted(
                        outage.killed(),
                        TimeUnit.NANOSECONDS.toMillis(endedAt - killedAt),
                        http.takeLongestMillis(),
                        millisSince(endedAt));
    }

    /** Waits until each client has succeeded with something that it began after a time. */
    private void goOn(long time) {
        await("all clients go on")
                .atMost(GO_ON_LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> clients.stream().allMatch(client -> client.wentOnSince(time)));
    }

    private long settle() throws InterruptedException {
        long began = System.nanoTime();
        Verdict verdict = new Verdict(ground, http, ledger, fork());
        List<String> differences = verdict.differences(listeners, members);
        while (!differences.isEmpty() && System.nanoTime() - began < SETTLE_LIMIT.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(200);
            differences = verdict.differences(listeners, members);
        }
        long settled = millisSince(began);
        // A repetition would come with the next poll of the store at the latest.
        TimeUnit.MILLISECONDS.sleep(REPEATED.toMillis());
        differences.forEach(ledger::violated);
        return settled;
    }

    private Outcome outcome(List<String> faults, long settled, long began) {
        long deletes = ledger.posts().stream()
                .filter(entry -> entry.delete().isPresent())
                .count();
        int interrupted = scrollers.stream().mapToInt(Scroller::interrupted).sum();
        String summary = ("seed %d, %d ms: %s; %d posts, %d deletes, %d follows and unfollows; %d walks of %d pages, "
                        + "%d of them with a page that failed first; %d streams opened %d times, %d events, "
                        + "%d catch-ups; %s; slowest post seen after %d ms; "
                        + "settled after %d ms; %d violations")
                .formatted(
                        seed,
                        millisSince(began),
                        String.join("; ", faults),
                        ledger.posts().size(),
                        deletes,
                        ledger.changes(),
                        scrollers.stream().mapToInt(Scroller::walks).sum(),
                        scrollers.stream().mapToInt(Scroller::pages).sum(),
                        interrupted,
                        listeners.size(),
                        listeners.stream().mapToInt(Listener::opened).sum(),
                        listeners.stream().mapToInt(Listener::events).sum(),
                        listeners.stream().mapToInt(Listener::catchUps).sum(),
                        http,
                        sightings.slowestMillis(),
                        settled,
                        ledger.violations().size());
        return new Outcome(summary, ledger.posts().size(), interrupted, ledger.violations());
    }

    private static long millisSince(long began) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }
}
