package io.feedkit.survival.chaos;

import io.feedkit.Post;
import io.feedkit.survival.chaos.Answer.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls engines in random order. Thread-safe. */
final class Clients {

    private static final int POSTS_FROM = 5;
    private static final long TIMEOUT_MILLIS = 150_000;
    private static final int PAUSE_MILLIS = 100;

    private final List<Seat> seats;
    private final FeedModel model;
    private final Report report;

    Clients(List<Seat> seats, FeedModel model, Report report) {
        this.seats = List.copyOf(seats);
        this.model = model;
        this.report = report;
    }

    FeedModel model() {
        return model;
    }

    Report report() {
        return report;
    }

    List<Seat> seats() {
        return seats;
    }

    Seat any(Random random) {
        return seats.get(random.nextInt(seats.size()));
    }

    Answer ask(Seat seat, String request) {
        Answer answer = seat.ask(request);
        report.count(request, answer);
        return answer;
    }

    /**
     * Sends a request to one engine after the other until one does it. A call with an unknown outcome may still take
     * effect up to a lease later. If {@code settled}, the last call begins after that.
     */
    Answer untilDone(Random random, String request, boolean settled) {
        long begun = System.currentTimeMillis();
        long unknownUntil = begun - OpenEngine.LEASE.toMillis();
        while (true) {
            Answer answer = ask(any(random), request);
            if (answer.isOk() && (!settled || answer.start() >= unknownUntil + OpenEngine.LEASE.toMillis())) {
                return answer;
            }
            if (answer.outcome() == Outcome.UNKNOWN) {
                unknownUntil = answer.end();
            }
            if (answer.end() - begun > TIMEOUT_MILLIS) {
                throw new IllegalStateException(request + " was never done: " + answer);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted before an engine did " + request);
            }
            pause(random, PAUSE_MILLIS);
        }
    }

    /** A page, with its cursors to older and newer pages. */
    record Turn(ShownPage page, String older, String newer) {

        boolean hasOlder() {
            return !older.equals("-");
        }
    }

    /** Parses a page. */
    Turn page(String reader, String request, Answer answer) {
        String[] words = answer.text().split(" ", -1);
        boolean upwards = request.startsWith("newer");
        List<Post> posts = Arrays.stream(words)
                .skip(POSTS_FROM)
                .filter(word -> !word.isEmpty())
                .map(Clients::post)
                .toList();
        String what = request.substring(0, request.indexOf(reader)) + "(" + words[4] + ")";
        ShownPage page = new ShownPage(
                new Call(answer.engine(), reader, what, answer.start(), answer.end()),
                posts,
                upwards ? words[2].equals("all") : words[0].equals("-"),
                request.contains(" hydrated "),
                words[3].equals("stale"));
        report.page();
        return new Turn(page, words[0], words[1]);
    }

    private static Post post(String word) {
        int slash = word.indexOf('/');
        int at = word.indexOf('@');
        return Post.of(word.substring(0, slash), word.substring(slash + 1, at), Long.parseLong(word.substring(at + 1)));
    }

    static void pause(Random random, int mostMillis) {
        LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(mostMillis)));
    }
}
