package io.feedkit.tools.counters;

import io.feedkit.tools.counters.CounterStores.OpenStore;
import io.feedkit.tools.input.InputException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code counters}. */
@Command(
        name = "counters",
        sortOptions = false,
        headerHeading = "Example: feedkit-tools counters --ops trace.txt --state%n%n",
        description = "Plays a trace of counter operations on a store, and prints the final values.")
public final class CountersCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it and the required options below
    private CommandSpec spec;

    @Option(
            names = "--ops",
            required = true,
            paramLabel = "FILE",
            description = "The trace, plain or gzip, one operation per line.")
    @SuppressWarnings("NullAway.Init")
    private Path ops;

    @Option(
            names = "--store",
            defaultValue = "memory",
            paramLabel = "URI",
            description = "Where the counters are stored: memory, a JDBC URL, or redis://HOST:PORT (also"
                    + " redis-sentinel:// and redis-cluster://). The default is ${DEFAULT-VALUE}. The run creates its"
                    + " own tables or keys, and deletes them at the end.")
    @SuppressWarnings("NullAway.Init")
    private String store;

    @Option(
            names = "--cache",
            paramLabel = "URI",
            description = "redis://HOST:PORT of a write-behind cache in front of a SQL store.")
    private @Nullable String cache;

    @Option(
            names = "--threads",
            defaultValue = "1",
            paramLabel = "N",
            description = "Threads that apply the operations between two sync lines (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--state", description = "Print the final state, one fact per line, sorted.")
    private boolean state;

    @Option(names = "--digest", description = "Print the SHA-256 of the final state.")
    private boolean digest;

    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        if (threads < 1) {
            throw new ParameterException(spec.commandLine(), "threads must be at least 1, but is " + threads);
        }
        PrintWriter err = spec.commandLine().getErr();
        Trace trace;
        try {
            trace = Trace.read(ops);
        } catch (InputException e) {
            err.println(e.getMessage());
            err.flush();
            return ExitCode.USAGE;
        }
        try (OpenStore opened = open()) {
            Player player = new Player(opened, Duration.ofMillis(trace.windowMillis()));
            play(trace, player);
            opened.flush().run();
            print(State.read(trace, player));
        }
        return ExitCode.OK;
    }

    private OpenStore open() {
        try {
            return CounterStores.open(store, Optional.ofNullable(cache), threads);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void play(Trace trace, Player player) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (List<Operation> stretch : trace.stretches()) {
                List<Future<?>> playing = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    int from = thread;
                    playing.add(pool.submit(() -> {
                        for (int i = from; i < stretch.size(); i += threads) {
                            player.play(stretch.get(i));
                        }
                    }));
                }
                for (Future<?> each : playing) {
                    each.get();
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private void print(State last) {
        PrintWriter out = spec.commandLine().getOut();
        if (state) {
            last.lines().forEach(line -> out.print(line + "\n"));
        }
        if (digest) {
            out.print("digest " + last.digest() + "\n");
        }
        out.flush();
    }
}
