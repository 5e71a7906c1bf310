package io.feedkit.bench.jmh;

import io.feedkit.bench.core.CursorInput;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Cursors to text and back. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CursorBenchmark {

    private final CursorInput input = CursorInput.create();

    /**
     * Prints a cursor.
     *
     * @return its text
     */
    @Benchmark
    public Object print() {
        return input.print();
    }

    /**
     * Parses a cursor.
     *
     * @return the cursor
     */
    @Benchmark
    public Object parse() {
        return input.parse();
    }

    /**
     * The baseline of printing.
     *
     * @return a text
     */
    @Benchmark
    public Object plainPrint() {
        return input.plainPrint();
    }

    /**
     * The baseline of parsing.
     *
     * @return a post
     */
    @Benchmark
    public Object plainParse() {
        return input.plainParse();
    }
}
