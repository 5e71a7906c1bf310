package io.feedkit.bench.jmh;

import io.feedkit.Cursor;
import io.feedkit.bench.core.ReaderFeed;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Pages of 20 from a full inbox in memory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReadBenchmark {

    /** How many pulled authors the reader follows. */
    @Param({"0", "50"})
    public int pulled;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private ReaderFeed feed;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private Cursor deep;

    /** Fills the inbox. */
    @Setup
    public void setUp() {
        feed = new ReaderFeed(pulled);
        deep = feed.deepCursor();
    }

    /** Closes the engine. */
    @TearDown
    public void tearDown() {
        feed.close();
    }

    /**
     * Reads the newest posts.
     *
     * @return a page
     */
    @Benchmark
    public Object newest() {
        return feed.first();
    }

    /**
     * Reads the newest posts with content.
     *
     * @return a page
     */
    @Benchmark
    public Object hydrated() {
        return feed.hydrated();
    }

    /**
     * Reads from the middle of the inbox.
     *
     * @return a page
     */
    @Benchmark
    public Object atDepth500() {
        return feed.older(deep);
    }
}
