package io.feedkit.bench.jmh;

import io.feedkit.bench.core.MergeInput;
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
import org.openjdk.jmh.annotations.Warmup;

/** The merge of an inbox's newest posts with the recent posts (heads) of pulled authors. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MergeBenchmark {

    /** The number of pulled authors. */
    @Param({"0", "10", "50", "200"})
    public int heads;

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private MergeInput input;

    /** Makes the posts. */
    @Setup
    public void setUp() {
        input = MergeInput.of(heads);
    }

    /**
     * The engine's merge.
     *
     * @return the run
     */
    @Benchmark
    public Object merge() {
        return input.merge();
    }

    /**
     * The baseline.
     *
     * @return the newest posts
     */
    @Benchmark
    public Object concatenateAndSort() {
        return input.concatenateAndSort();
    }
}
