package io.feedkit.tools.brokers;

import static java.util.Objects.requireNonNull;

import io.feedkit.event.FeedListener;
import io.feedkit.fanout.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** One run: starts the processes, kills a worker, and checks all feeds. */
final class Demonstration {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    /** The exit code of a process that was killed with SIGKILL. */
    private static final int KILLED = 137;

    private static final Duration EVENT_LIMIT = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final String STORY = "";

    private final CommandSpec spec;
    private final Place place;
    private final int followers;
    private final int workers;
    private final Duration limit;
    private final long begin = System.nanoTime();
    private final AtomicReference<PartProcess> victim = new AtomicReference<>();
    private final AtomicLong killedAt = new AtomicLong();
    private final CountDownLatch killed = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch received = new CountDownLatch(1);
    private final List<PartProcess> parts = new ArrayList<>();
    private int steps;

    Demonstration(CommandSpec spec, Place place, int followers, int workers, int limitSeconds) {
        this.spec = spec;
        this.place = place;
        this.followers = followers;
        this.workers = workers;
        this.limit = Duration.ofSeconds(limitSeconds);
    }

    /** Runs the demonstration. Returns whether all feeds are right and the consumer received the event. */
    boolean run(Preparation preparation) {
        step("Prepare: " + Figures.count(followers) + " users follow the celebrity, and read their feeds once.");
        say("run " + place.run() + ": its tables, keys, queues and topics are deleted at the end");
        say("posts are only pushed to live inboxes, and the first read makes an inbox live");
        preparation.addFollowers(followers);
        boolean finished;
        try (Member observer = place.orRefuse(() -> Member.reader(place, 1, FeedListener.NONE))) {
            finished = startParts() && fanOut(observer);
        } finally {
            parts.forEach(PartProcess::askToEnd);
            parts.forEach(PartProcess::close);
        }
        return finished && check();
    }

    private boolean startParts() {
        step("Start: each part runs as a separate process.");
        start("relay", "relay");
        place.events()
                .ifPresentOrElse(
                        url -> start("consumer", "consumer"),
                        () -> say("without --events, there is no consumer of events"));
        String half = Long.toString(Math.max(1, followers / (2L * workers)));
        for (int i = 1; i <= workers; i++) {
            start("worker " + i, "worker", "--tell-at", half);
        }
        for (PartProcess part : parts) {
            if (!part.awaitReady(START_LIMIT)) {
                return fail(part.name() + " did not start");
            }
        }
        return true;
    }

    /** Starts a part that ends when it is asked to end, or with this process. */
    private void start(String name, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.add(Lifetime.END_WITH_INPUT);
        parts.add(PartProcess.start(name, place, all, this::onLine));
    }

    private void onLine(PartProcess part, String line) {
        print(part.name(), line);
        if (line.startsWith(WorkerCommand.IN_THE_MIDDLE) && victim.compareAndSet(null, part)) {
            part.kill();
            killedAt.set(System.nanoTime());
            say("KILLED " + part.name() + " (process " + part.id() + ", SIGKILL)");
            killed.countDown();
        } else if (line.startsWith(
                ConsumerCommand.RECEIVED + Place.CELEBRITY + "/" + place.key().id())) {
            received.countDown();
        }
    }

    private boolean fanOut(Member observer) {
        step("Publish and kill: the celebrity posts, and one worker is killed during the fan-out.");
        try (PartProcess publisher = PartProcess.start("publisher", place, List.of("publisher"), this::onLine)) {
            if (publisher.awaitExit(START_LIMIT).orElse(ExitCode.SOFTWARE) != ExitCode.OK) {
                return fail("the post could not be published");
            }
        }
        if (!isDone(killed, limit)) {
            return fail("no worker reached the middle of a task within " + Figures.seconds(limit));
        }
        if (requireNonNull(victim.get()).awaitExit(START_LIMIT).orElse(ExitCode.OK) != KILLED) {
            return fail("the kill did not end the worker");
        }
        step("Recover: the other workers finish the work of the killed worker.");
        if (!awaitNoTasks(observer)) {
            return fail("the fan-out did not finish");
        }
        say("the fan-out finished " + Figures.seconds(Duration.ofNanos(System.nanoTime() - killedAt.get()))
                + " after the kill; the lease of the killed worker was " + Figures.seconds(place.lease()));
        return place.events().isEmpty() || isDone(received, EVENT_LIMIT) || fail("the consumer received no event");
    }

    private boolean awaitNoTasks(Member member) {
        long deadline = System.nanoTime() + limit.toNanos();
        Backlog backlog = member.engine().fanout().backlog();
        while (backlog.tasks() > 0 && System.nanoTime() < deadline) {
            Optional<PartProcess> dead = parts.stream()
                    .filter(part -> !part.isAlive() && !part.equals(victim.get()))
                    .findFirst();
            if (dead.isPresent()) {
                return fail(dead.get().name() + " ended unexpectedly");
            }
            isDone(never, LOOK);
            backlog = member.engine().fanout().backlog();
        }
        return backlog.tasks() == 0 && backlog.deadLetters() == 0;
    }

    private boolean check() {
        step("Check: the feeds of all followers are read.");
        FeedCheck.Result result = FeedCheck.run(place);
        result.lines().forEach(this::say);
        boolean right = result.isRight(followers);
        say(right ? "RIGHT: no follower lacks the post or has it twice" : "WRONG");
        return right;
    }

    private static boolean isDone(CountDownLatch latch, Duration limit) {
        try {
            return latch.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean fail(String why) {
        say("FAILED: " + why);
        return false;
    }

    private void step(String title) {
        steps++;
        Lines.print(spec, String.format(Locale.ROOT, "%n%d. %s", steps, title));
    }

    private void say(String line) {
        print(STORY, line);
    }

    private void print(String who, String line) {
        Duration now = Duration.ofNanos(System.nanoTime() - begin);
        Lines.print(spec, String.format(Locale.ROOT, "%8s  %-10s %s", Figures.seconds(now), who, line));
    }
}
