package io.feedkit.tools.verify;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.feedkit.verify.VerifyProgress;
import io.feedkit.verify.VerifyProgress.Stage;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Prints a line for each stage, and one more every ten seconds. */
final class ProgressLines implements Predicate<VerifyProgress> {

    private static final long EVERY_NANOS = SECONDS.toNanos(10);

    private final PrintWriter out;
    private Optional<VerifyProgress> shown = Optional.empty();
    private long shownAt;

    ProgressLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public boolean test(VerifyProgress progress) {
        long now = System.nanoTime();
        boolean isNewStage = shown.map(VerifyProgress::stage)
                .filter(progress.stage()::equals)
                .isEmpty();
        if (isNewStage || now - shownAt >= EVERY_NANOS) {
            shown = Optional.of(progress);
            shownAt = now;
            out.println("comparing " + name(progress.stage()) + ": " + progress.checked() + ", findings: "
                    + progress.findings());
            out.flush();
        }
        return true;
    }

    /** What a stage compares, in the plural. */
    static String name(Stage stage) {
        return switch (stage) {
            case TASKS -> "tasks";
            case REGISTER -> "authors";
            case GRAPH -> "users";
            case ARCHIVE -> "archived posts";
            default -> stage.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
