package io.feedkit.bench.jmh;

import io.feedkit.bench.core.StarFeed;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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

/**
 * Publishing, without workers: the tasks wait in the log. Every iteration starts with an empty log, because posts and
 * tasks accumulate.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 10)
@Fork(1)
public class PublishBenchmark {

    private static final int POSTS = 20_000;

    /** How many followers the author has. */
    @Param({"10", "10000000"})
    public int followers;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private StarFeed feed;

    /** Makes a new engine. */
    @Setup(Level.Iteration)
    public void setUp() {
        feed = new StarFeed(followers, 0, settings -> settings.workers(0));
    }

    /** Closes the engine. */
    @TearDown(Level.Iteration)
    public void tearDown() {
        feed.close();
    }

    /** Publishes many posts. */
    @Benchmark
    @OperationsPerInvocation(POSTS)
    public void publish() {
        for (int i = 0; i < POSTS; i++) {
            feed.publish();
        }
    }
}
