package io.feedkit.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints figures as they arrive. Used by one thread. */
final class Report {

    private static final long MEGABYTE = 1 << 20;

    private final PrintWriter out;
    private int printed;
    private int missed;

    Report(PrintWriter out) {
        this.out = out;
    }

    void header(Scale scale) {
        Runtime runtime = Runtime.getRuntime();
        out.printf(
                Locale.ROOT,
                "# %s %s, %d cores, heap %,d MB; medians of %d, value and baseline in turns%n",
                System.getProperty("java.vm.name"),
                System.getProperty("java.vm.version"),
                runtime.availableProcessors(),
                runtime.maxMemory() / MEGABYTE,
                scale.rounds());
        out.println("# " + Figure.COLUMNS);
        out.flush();
    }

    void title(Suite suite) {
        out.println("# " + suite.name() + ": " + suite.description());
        out.flush();
    }

    void leftOut(Measurement measurement, String lacking) {
        out.println("# " + measurement.name() + " is left out: it needs " + lacking);
        out.flush();
    }

    void print(Figure figure) {
        out.println(figure.line());
        out.flush();
        printed++;
        missed += figure.isOk() ? 0 : 1;
    }

    void close() {
        out.printf(Locale.ROOT, "# %d figures, %d short%n", printed, missed);
        out.flush();
    }

    int missed() {
        return missed;
    }
}
