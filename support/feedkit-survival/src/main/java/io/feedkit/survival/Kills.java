package io.feedkit.survival;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Makes kills one after the other, prints the outcome of each, and counts. Not thread-safe. */
public final class Kills {

    /** The options of a JVM that lives for some seconds. */
    public static final List<String> QUICK_START =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m");

    /**
     * The outcome of a kill.
     *
     * @param reached whether the point was reached; otherwise the process was killed at a random moment
     * @param posts how many posts were acknowledged
     * @param resumed the time from the kill, or from the restart of what was killed, until all work was done
     */
    public record Outcome(boolean reached, int posts, Duration resumed) {}

    /** A kill, and the checks afterwards. */
    public interface Kill {

        /**
         * Makes the kill.
         *
         * @return the outcome
         * @throws Exception if a check could not be made
         * @throws AssertionError if a check failed
         */
        Outcome run() throws Exception;
    }

    private final List<Long> resumed = new ArrayList<>();
    private int runs;
    private int failed;
    private int reached;

    /** Creates an empty count. */
    public Kills() {}

    /**
     * Makes a kill.
     *
     * @param name its name, for the printed line
     * @param kill the kill
     */
    public void run(String name, Kill kill) {
        runs++;
        try {
            Outcome outcome = kill.run();
            reached += outcome.reached() ? 1 : 0;
            resumed.add(outcome.resumed().toMillis());
            System.out.printf(
                    "%s: %s, %d posts, done after %d ms%n",
                    name,
                    outcome.reached() ? "reached" : "not reached",
                    outcome.posts(),
                    outcome.resumed().toMillis());
        } catch (Exception | AssertionError e) {
            failed++;
            System.out.printf("%s: FAILED%n", name);
            e.printStackTrace(System.out);
        }
    }

    /**
     * Prints a summary.
     *
     * @param what what was killed
     * @return the exit code of the command: 0, or 1 if a run failed
     */
    public int end(String what) {
        Collections.sort(resumed);
        System.out.printf(
                "%s: %d runs, %d failed, %d at the point; all work done after %d ms (median), %d ms (most)%n",
                what,
                runs,
                failed,
                reached,
                resumed.isEmpty() ? 0 : resumed.get(resumed.size() / 2),
                resumed.isEmpty() ? 0 : resumed.get(resumed.size() - 1));
        return failed == 0 ? 0 : 1;
    }
}
