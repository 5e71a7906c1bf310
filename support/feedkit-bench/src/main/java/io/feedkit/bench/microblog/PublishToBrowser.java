package io.feedkit.bench.microblog;

import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The time from sending a post to the event in the streams of connected followers, over HTTP. The baseline is the time
 * until the server has answered the request that publishes.
 */
final class PublishToBrowser implements Measurement {

    private static final int FOLLOWERS_A_MEMBER = 2000;
    private static final int LEAST = 50;
    private static final int FOLLOWEES = 10;
    private static final List<Integer> POSTS_A_SECOND = List.of(20, 50, 500);
    private static final int THREADS = 32;
    private static final int SECONDS = 20;
    private static final int WARM_UP = 20;
    private static final double NANOS_A_MILLI = 1e6;
    private static final Duration OPENING = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Pattern NUMBER = Pattern.compile("number (\\d+)z");

    /** When each post was due. */
    private final Map<Long, Long> sent = new ConcurrentHashMap<>();

    private final AtomicLong expected = new AtomicLong();
    private final AtomicLong arrived = new AtomicLong();
    private final AtomicLong next = new AtomicLong();
    private final Histogram events = new ConcurrentHistogram(3);
    private final Histogram answers = new ConcurrentHistogram(3);

    @Override
    public String name() {
        return "browser";
    }

    @Override
    public Optional<String> lacks() {
        return MicroblogServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Members members = new Members(Math.max(LEAST, scale.followers() / FOLLOWERS_A_MEMBER));
        try (MicroblogServer server = MicroblogServer.start()) {
            members.create(server, Math.min(FOLLOWEES, members.count() - 1));
            MemberClient client = new MemberClient(server, members);
            new Callers(THREADS, scale.window())
                    .forEach(IntStream.range(0, members.count()).boxed().toList(), member -> {
                        int unused = client.get(member, "/api/v1/timelines/home");
                    });
            List<CompletableFuture<HttpResponse<Void>>> streams = IntStream.range(0, members.count())
                    .mapToObj(member -> client.stream(member, this::event))
                    .toList();
            park(OPENING);
            publish(client, members, WARM_UP, WARM_UP);
            List<Figure> figures = new ArrayList<>();
            for (int rate : POSTS_A_SECOND) {
                publish(client, members, rate, SECONDS);
                figures.add(figure(members, rate, "p50", 50));
                figures.add(figure(members, rate, "p99", 99));
                figures.add(new Figure(
                        "browser: " + rate + " posts/s, events that arrived (of all)",
                        "events",
                        arrived.get(),
                        expected.get(),
                        new Target.RatioAtLeast(1)));
            }
            long open = streams.stream().filter(each -> !each.isDone()).count();
            figures.add(new Figure(
                    "browser: streams open at the end (of all)",
                    "streams",
                    open,
                    members.count(),
                    new Target.RatioAtLeast(1)));
            return figures;
        }
    }

    private Figure figure(Members members, int rate, String name, double percentile) {
        return new Figure(
                "browser: publish to event, " + members.count() + " readers, " + rate + " posts/s, " + name
                        + " (against the answer to the author)",
                "ms",
                events.getValueAtPercentile(percentile) / NANOS_A_MILLI,
                Math.max(1, answers.getValueAtPercentile(percentile)) / NANOS_A_MILLI,
                Target.NONE);
    }

    /** Posts that are due at a steady pace, until all of their followers and authors have the events. */
    private void publish(MemberClient client, Members members, int rate, int seconds) {
        events.reset();
        answers.reset();
        arrived.set(0);
        expected.set(0);
        sent.clear();
        long start = System.nanoTime();
        int count = rate * seconds;
        List<Integer> threads = IntStream.range(0, THREADS).boxed().toList();
        new Callers(THREADS, Duration.ZERO).forEach(threads, first -> {
            for (int number = first; number < count; number += THREADS) {
                long due = start + number * TimeUnit.SECONDS.toNanos(1) / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                long post = next.incrementAndGet();
                int author = (int) (post % members.count());
                sent.put(post, due);
                expected.addAndGet(members.followers(author) + 1L);
                client.post(author, "number " + post + "z");
                answers.recordValue(System.nanoTime() - due);
            }
        });
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (arrived.get() < expected.get() && System.nanoTime() < end) {
            park(LOOK);
        }
    }

    private void event(String data) {
        Matcher number = NUMBER.matcher(data);
        if (number.find()) {
            Long due = sent.get(Long.valueOf(number.group(1)));
            if (due != null) {
                events.recordValue(System.nanoTime() - due);
                arrived.incrementAndGet();
            }
        }
    }

    private static void park(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
