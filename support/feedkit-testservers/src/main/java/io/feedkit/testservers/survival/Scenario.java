package io.feedkit.testservers.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Engines on a store, publishers that repeat failed calls, and a monitor. The test makes the faults; this class checks
 * the result. Used by one thread.
 */
public final class Scenario implements AutoCloseable {

    /** The number of engines. The second one pulls the star's posts, which the first one pushes. */
    public enum Engines {

        /** One engine. */
        ONE,

        /** Two engines. */
        TWO
    }

    private static final int PUBLISHERS = 2;
    private static final int READERS = 100;

    private final Engines engines;
    private final List<Node> nodes = new ArrayList<>();
    private final Members members;
    private final Truth truth = new Truth();
    private final Publishers publishers;
    private final FeedMonitor monitor;

    private Scenario(Engines engines, Supplier<Node.Setup> setups, int pauseMillis) {
        this.engines = engines;
        nodes.add(setups.get().named("one").open());
        if (engines == Engines.TWO) {
            nodes.add(setups.get()
                    .named("two")
                    .policy(FanoutPolicy.hybrid(READERS))
                    .open());
        }
        members = Members.join(READERS, nodes.get(0));
        publishers = Publishers.start(PUBLISHERS, members, truth, nodes, pauseMillis);
        monitor = FeedMonitor.start(members, truth, nodes);
    }

    /**
     * Starts on an empty store.
     *
     * @param engines how many engines
     * @param setups returns the settings of each engine, one after the other; all engines use the same data
     * @return the scenario
     */
    public static Scenario start(Engines engines, Supplier<Node.Setup> setups) {
        return start(engines, setups, Publishers.PAUSE_MILLIS);
    }

    /**
     * Starts on an empty store, with another pause between the publishers' calls.
     *
     * @param engines how many engines
     * @param setups returns the settings of each engine, one after the other; all engines use the same data
     * @param pauseMillis the longest pause of a publisher between two calls
     * @return the scenario
     */
    public static Scenario start(Engines engines, Supplier<Node.Setup> setups, int pauseMillis) {
        return new Scenario(engines, setups, pauseMillis);
    }

    /**
     * The engines.
     *
     * @return one or two
     */
    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /**
     * The readers and authors.
     *
     * @return the members
     */
    public Members members() {
        return members;
    }

    /**
     * Counts the complete walks of the monitor.
     *
     * @return how many
     */
    public int walks() {
        return monitor.walks();
    }

    /**
     * The acknowledged changes of the publishers so far. A test must also record its own changes here.
     *
     * @return the acknowledged changes
     */
    public Truth truth() {
        return truth;
    }

    /**
     * Ends the publishers and the monitor, checks the feeds, and prints a summary.
     *
     * @param faults the faults that the test has made, for the printed line
     * @throws InterruptedException if this thread is interrupted
     * @throws ExecutionException if a publisher or the monitor failed
     * @throws AssertionError if a check failed
     */
    public void finish(String faults) throws InterruptedException, ExecutionException {
        publishers.finish();
        monitor.finish();
        FinalCheck.pass(nodes, members, truth);
        if (engines == Engines.ONE) {
            FinalCheck.inboxesLackNothing(nodes.get(0), members);
        }
        System.out.printf(
                "%s, engines=%s: posts=%d deleted=%d calls repeated=%d (done before=%d) tasks finished=%s "
                        + "failed=%d walks=%d (refused=%d)%n",
                faults,
                engines,
                truth.posts(),
                truth.deletes(),
                publishers.refused(),
                publishers.doneBefore(),
                nodes.stream().map(Node::finishedTasks).toList(),
                failedTasks(),
                monitor.walks(),
                monitor.refused());
        assertThat(monitor.walks()).isPositive();
        assertThat(nodes).allMatch(node -> node.finishedTasks() > 0, "has delivered");
    }

    /**
     * Counts the calls and tasks that failed and were repeated.
     *
     * @return how many
     */
    public int triedAgain() {
        return publishers.refused() + failedTasks();
    }

    private int failedTasks() {
        return nodes.stream().mapToInt(Node::failedTasks).sum();
    }

    /** Ends all threads and engines at once. */
    @Override
    public void close() {
        publishers.close();
        monitor.close();
        nodes.forEach(Node::close);
    }
}
