package io.feedkit.testservers.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Engines on a store, publishers who do not give up, and an monitor. What happens to them is the test's business; what
 * is true afterwards is checked here. Used by one thread.
 */
public final class Scenario implements AutoCloseable {

    /** The engines at work; the second one pulls the star's posts, which the first one pushes. */
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
     * @param engines how many
     * @param setups begins each engine, one after the other; all work on the same data
     * @return the scenario
     */
    public static Scenario start(Engines engines, Supplier<Node.Setup> setups) {
        return start(engines, setups, Publishers.PAUSE_MILLIS);
    }

    /**
     * Starts publishers of another pace.
     *
     * @param engines how many
     * @param setups begins each engine, one after the other; all work on the same data
     * @param pauseMillis how long a publisher pauses at most between two calls
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
     * Who follows whom.
     *
     * @return the members
     */
    public Members members() {
        return members;
    }

    /**
     * How many whole walks the monitor has made.
     *
     * @return how many
     */
    public int walks() {
        return monitor.walks();
    }

    /**
     * What the publishers were acknowledged so far; what a test publishes itself is to be told here, too.
     *
     * @return the oracle
     */
    public Truth truth() {
        return truth;
    }

    /**
     * Lets all come to rest and checks what is there; prints what was done.
     *
     * @param faults what the test has done, for the printed line
     * @throws InterruptedException if this thread is interrupted
     * @throws ExecutionException if a publisher or the monitor failed
     * @throws AssertionError if something is not as it must be
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
     * How often calls were not acknowledged, or tasks failed, and were tried again.
     *
     * @return how often
     */
    public int triedAgain() {
        return publishers.refused() + failedTasks();
    }

    private int failedTasks() {
        return nodes.stream().mapToInt(Node::failedTasks).sum();
    }

    /** Ends everything, finished or not. */
    @Override
    public void close() {
        publishers.close();
        monitor.close();
        nodes.forEach(Node::close);
    }
}
