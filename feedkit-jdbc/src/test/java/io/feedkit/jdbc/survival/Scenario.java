package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Engines on a database, publishers who do not give up, and an onlooker. What happens to them is the test's business; what is true afterwards is checked here. */
final class Scenario implements AutoCloseable {

    /** The engines at work; the second one pulls the star's posts, which the first one pushes. */
    enum Engines {
        ONE,
        TWO
    }

    private static final int PUBLISHERS = 2;
    private static final int READERS = 100;

    private final Engines engines;
    private final Probe probe;
    private final List<Node> nodes = new ArrayList<>();
    private final Members members;
    private final Truth truth = new Truth();
    private final Publishers publishers;
    private final Onlooker onlooker;

    private Scenario(String url, Engines engines, Supplier<Node.Setup> setups, int pauseMillis) {
        this.engines = engines;
        probe = new Probe(url);
        nodes.add(setups.get().named("one").open());
        if (engines == Engines.TWO) {
            nodes.add(setups.get()
                    .named("two")
                    .policy(FanoutPolicy.hybrid(READERS))
                    .open());
        }
        members = Members.join(READERS, nodes.get(0));
        publishers = Publishers.start(PUBLISHERS, members, truth, nodes, pauseMillis);
        onlooker = Onlooker.start(members, truth, nodes);
    }

    /** Starts on a database that has the tables. */
    static Scenario start(String url, Engines engines) {
        return start(url, engines, () -> Node.at(url));
    }

    /** Starts engines that are begun in another way, one after the other. */
    static Scenario start(String url, Engines engines, Supplier<Node.Setup> setups) {
        return start(url, engines, setups, Publishers.PAUSE_MILLIS);
    }

    /** Starts publishers who pause for so long at most between two calls. */
    static Scenario start(String url, Engines engines, Supplier<Node.Setup> setups, int pauseMillis) {
        return new Scenario(url, engines, setups, pauseMillis);
    }

    /** Makes the tables in an empty database. */
    static void createTables(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    Probe probe() {
        return probe;
    }

    /** The first engine. */
    Node node() {
        return nodes.get(0);
    }

    /** The engines, one or two. */
    List<Node> nodes() {
        return List.copyOf(nodes);
    }

    Members members() {
        return members;
    }

    /** How many whole walks the onlooker has made. */
    int walks() {
        return onlooker.walks();
    }

    Truth truth() {
        return truth;
    }

    /** Lets all come to rest and checks what is there; prints what was done. */
    void finish(String faults) throws InterruptedException, ExecutionException {
        publishers.finish();
        onlooker.finish();
        FinalCheck.pass(nodes, members, truth);
        if (engines == Engines.ONE) {
            FinalCheck.inboxesLackNothing(nodes.get(0), members);
        }
        System.out.printf(
                "%s, engines=%s: posts=%d deleted=%d calls repeated=%d (done before=%d) tasks finished=%s failed=%d walks=%d (refused=%d)%n",
                faults,
                engines,
                truth.posts(),
                truth.deletes(),
                publishers.refused(),
                publishers.doneBefore(),
                nodes.stream().map(Node::finishedTasks).toList(),
                failedTasks(),
                onlooker.walks(),
                onlooker.refused());
        assertThat(onlooker.walks()).isPositive();
        assertThat(nodes).allMatch(node -> node.finishedTasks() > 0, "has delivered");
    }

    /** How often calls were not acknowledged, or tasks failed, and were tried again. */
    int triedAgain() {
        return publishers.refused() + failedTasks();
    }

    private int failedTasks() {
        return nodes.stream().mapToInt(Node::failedTasks).sum();
    }

    @Override
    public void close() {
        publishers.close();
        onlooker.close();
        nodes.forEach(Node::close);
    }
}
