package io.feedkit.bench.redis.scripts;

import io.feedkit.Post;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Calls about tasks, all of one author, so that each step is one script. */
final class FanoutLogCalls {

    private static final int TASKS = 100;
    private static final int PARTS = 64;
    private static final int AUTHORS = 200;
    private static final int LOOKED_FOR = 128;
    private static final int IN_FRONT = 1000;
    private static final long LEASE_MILLIS = 600_000;

    private final SlowLog log;
    private final Outbox outbox;
    private final FanoutLog fanout;
    private int posts;

    FanoutLogCalls(SlowLog log, Outbox outbox) {
        this.log = log;
        this.outbox = outbox;
        fanout = outbox.fanout();
        finishAll();
    }

    void make(int times) {
        for (int n = 0; n < times; n++) {
            append("pushing-author", FanoutMode.PUSH, TASKS);
            steps(log.of("100 tasks claimed", () -> fanout.claim(TASKS, LEASE_MILLIS)));
            finishAll();
            append("pushing-author", FanoutMode.PUSH, TASKS);
            lend();
            finishAll();
        }
        looks(times);
    }

    private void lend() {
        List<Loan> returned = loans(log.of("100 tasks lent", () -> fanout.lend(TASKS, LEASE_MILLIS, TASKS)));
        log.of("100 loans returned", () -> fanout.returnLoans(returned));
        List<Loan> taken = loans(fanout.lend(TASKS, LEASE_MILLIS, TASKS));
        fanout.release(releases(log.of("100 loans taken", () -> fanout.take(taken, LEASE_MILLIS)).stream()
                .flatMap(Optional::stream)
                .toList()));
    }

    private static List<Loan> loans(List<LentTask> lent) {
        return lent.stream().map(LentTask::loan).toList();
    }

    private void steps(List<Claim> claims) {
        log.of("100 tasks checkpointed", () -> fanout.checkpoint(progress(claims), LEASE_MILLIS));
        log.of("100 tasks released", () -> fanout.release(releases(claims)));
        List<Claim> again = fanout.claim(TASKS, LEASE_MILLIS);
        log.of("100 tasks failed", () -> fanout.fail(failures(again)));
        List<Claim> dead = fanout.claim(TASKS, LEASE_MILLIS);
        log.of("a task moved to the dead letters", () -> fanout.moveToDeadLetters(dead.get(0), 1, "reason"));
        dead.subList(1, TASKS).forEach(claim -> fanout.moveToDeadLetters(claim, 1, "reason"));
        log.of("100 dead tasks listed", () -> fanout.dead("", TASKS));
        List<String> ids = dead.stream().map(claim -> claim.task().id()).toList();
        log.of("100 dead tasks woken", () -> fanout.replay(ids));
        List<Claim> finished = fanout.claim(TASKS, LEASE_MILLIS);
        log.of("100 tasks finished", () -> fanout.finish(finished, LEASE_MILLIS));
        log.of("100 finished tasks woken", () -> fanout.restart(0, 0));
        Claim split = fanout.claim(1, LEASE_MILLIS).get(0);
        log.of("a task split into 64", () -> fanout.split(split, ranges()));
    }

    /**
     * First each partition has the number of due and fresh tasks that one claim reads. Then very many tasks that do not
     * hold back the settled mark are in front.
     */
    private void looks(int times) {
        IntStream.range(0, AUTHORS).forEach(i -> append("pushing-author-" + i, FanoutMode.PUSH, TASKS));
        fanout.release(releases(fanout.claim(AUTHORS * TASKS / 2, LEASE_MILLIS)));
        for (int n = 0; n < times; n++) {
            List<Claim> claims = log.of(
                    "128 tasks claimed where many are due on all partitions",
                    () -> fanout.claim(LOOKED_FOR, LEASE_MILLIS));
            log.of("how much waits on all partitions", fanout::queueStatus);
            fanout.release(releases(claims));
        }
        finishAll();
        append("pushing-author", FanoutMode.PUSH_ACTIVE, IN_FRONT);
        for (int n = 0; n < times; n++) {
            log.of("the settled mark behind 1000 tasks that do not count", outbox::settledMark);
        }
        finishAll();
    }

    private void append(String author, FanoutMode mode, int count) {
        outbox.append(IntStream.range(0, count)
                .mapToObj(i -> new Publication(next(author), mode))
                .toList());
    }

    private Post next(String author) {
        posts++;
        return Post.of(author, FullInboxes.nextId(posts), 1000L + posts);
    }

    private void finishAll() {
        List<Claim> claims = fanout.claim(AUTHORS, LEASE_MILLIS);
        while (!claims.isEmpty()) {
            fanout.finish(claims, 0);
            claims = fanout.claim(AUTHORS, LEASE_MILLIS);
        }
    }

    private static List<Progress> progress(List<Claim> claims) {
        return claims.stream().map(claim -> new Progress(claim, "follower")).toList();
    }

    private static List<Release> releases(List<Claim> claims) {
        return claims.stream()
                .map(claim -> new Release(claim, claim.task().after(), 0))
                .toList();
    }

    private static List<Failure> failures(List<Claim> claims) {
        return claims.stream().map(claim -> new Failure(claim, "reason", 0)).toList();
    }

    private static List<KeyRange> ranges() {
        return IntStream.range(0, PARTS)
                .mapToObj(i -> new KeyRange(i == 0 ? "" : bound(i), i == PARTS - 1 ? KeyRange.END : bound(i + 1)))
                .toList();
    }

    private static String bound(int i) {
        return String.format("%08d", i);
    }
}
