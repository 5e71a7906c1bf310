package io.feedkit.bench.jmh;

import io.feedkit.bench.core.StarFeed;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Fan-out of one post at a time, on one thread. The score counts followers, not posts. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FanoutBenchmark {

    private static final int FOLLOWERS = 10_000;

    /** How many of the 10,000 followers are live, with full inboxes. */
    @Param({"0", "10000"})
    public int live;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private StarFeed feed;

    /** Opens and fills the inboxes. */
    @Setup
    public void setUp() {
        feed = new StarFeed(FOLLOWERS, live, settings -> settings.workers(0));
    }

    /** Closes the engine. */
    @TearDown
    public void tearDown() {
        feed.close();
    }

    /**
     * Publishes a post and delivers it to all followers.
     *
     * @return how many tasks there were
     */
    @Benchmark
    @OperationsPerInvocation(FOLLOWERS)
    public int fanOut() {
        feed.publish();
        return feed.engine().fanout().drain();
    }
}
