package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Walks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Host transactions that stay open during a scenario: for each engine, a first one that is committed, and a second one
 * that starts later and is rolled back. Every check verifies that nothing has waited for them since the last check.
 */
final class HeldTransactions implements AutoCloseable {

    private record Held(Post post, HostArticles articles) {}

    private record Progress(int posts, int walks, List<Integer> tasksFinished, long tasksForgotten) {}

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String OVERDUE = "SELECT (SELECT count(*) FROM feedkit_inbox WHERE ends_at = 1)"
            + " + (SELECT count(*) FROM feedkit_task"
            + " WHERE forget_at < 1000 * extract(epoch FROM clock_timestamp()) - 4000)";
    private static final int PAUSE_MILLIS = 1000;
    private static final long SECOND = 1000;

    private final Scenario scenario;
    private final Probe probe;
    private final String url;
    private final List<Held> first = new ArrayList<>();
    private final List<Held> second = new ArrayList<>();
    private final long opening;
    private final long firstOpen;
    private final int postsBefore;
    private long secondOpen;
    private Progress before;
    private Instant lastLook = Instant.now();
    private int looks;

    private HeldTransactions(String url, Engines engines) throws SQLException {
        this.url = url;
        probe = new Probe(url);
        scenario = Scenario.start(engines, () -> Nodes.at(url).replayHorizon(Duration.ofSeconds(1)), PAUSE_MILLIS);
        await().atMost(LIMIT).until(() -> scenario.truth().posts() > 0);
        opening = System.currentTimeMillis();
        hold("late", first);
        firstOpen = System.currentTimeMillis();
        before = progress();
        postsBefore = before.posts();
        expire("guest-0");
    }

    /** Starts a scenario, and opens the transactions that are to be committed. */
    static HeldTransactions begin(String url, Engines engines) throws SQLException {
        return new HeldTransactions(url, engines);
    }

    private void hold(String name, List<Held> where) throws SQLException {
        for (Node node : scenario.nodes()) {
            Post post = new Post(Members.STAR, name + "-" + where.size(), Instant.now());
            HostArticles articles = new HostArticles(url);
            where.add(new Held(post, articles));
            articles.write(post, node.engine());
        }
    }

    /**
     * Fails unless everything but the settled mark has advanced since the last check. The first call opens the
     * transactions that are rolled back later.
     */
    void look() throws SQLException {
        if (second.isEmpty()) {
            hold("never", second);
            secondOpen = System.currentTimeMillis();
        }
        assertThat(settledMarks()).as("settled marks").allMatch(mark -> mark <= firstOpen);
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(this::assertAllHasGoneOn);
        looks++;
        expire("guest-" + looks);
        before = progress();
        lastLook = Instant.now();
    }

    private void assertAllHasGoneOn() throws SQLException {
        Progress now = progress();
        assertThat(settledMarks()).as("settled marks").allMatch(mark -> mark >= opening - SECOND);
        assertThat(now.posts()).as("posts").isGreaterThan(before.posts());
        assertThat(now.walks()).as("walks").isGreaterThan(before.walks());
        assertThat(now.tasksForgotten()).as("tasks forgotten").isGreaterThan(before.tasksForgotten());
        assertThat(probe.count(OVERDUE))
                .as("inboxes and tasks that maintenance has left")
                .isZero();
        for (int n = 0; n < scenario.nodes().size(); n++) {
            assertThat(now.tasksFinished().get(n))
                    .as("tasks finished")
                    .isGreaterThan(before.tasksFinished().get(n));
            readAndRebuild(
                    scenario.nodes().get(n).engine(),
                    scenario.members().readers().get(looks));
        }
    }

    /** Reads the posts since the last check, from the inbox as it is, and from a new inbox. */
    private void readAndRebuild(FeedEngine feed, String reader) {
        for (int time = 0; time < 2; time++) {
            List<Post> shown = Walks.plain(feed, reader);
            assertThat(shown.get(0).publishedAt()).isAfter(lastLook);
            assertThat(shown).noneMatch(post -> isHeld(first, post) || isHeld(second, post));
            feed.rebuild(reader);
        }
    }

    private static boolean isHeld(List<Held> held, Post post) {
        return held.stream().anyMatch(each -> each.post().equals(post));
    }

    /** Leaves an inbox that maintenance has to remove. */
    private void expire(String guest) throws SQLException {
        scenario.nodes().get(0).engine().read(guest, Walks.first());
        probe.execute("UPDATE feedkit_inbox SET ends_at = 1 WHERE reader = '" + guest + "'");
    }

    private Progress progress() throws SQLException {
        return new Progress(
                scenario.truth().posts(),
                scenario.walks(),
                scenario.nodes().stream().map(Node::finishedTasks).toList(),
                probe.count("SELECT max(id) - count(*) FROM feedkit_task"));
    }

    private List<Long> settledMarks() {
        return scenario.nodes().stream()
                .map(node -> node.store().outbox().settledMark())
                .toList();
    }

    /**
     * Commits the first transactions when they have been open long enough. The settled mark advances to the second
     * ones.
     */
    void commitFirst(Duration open) throws SQLException {
        assertThat(probe.oldestHeldSeconds()).isGreaterThanOrEqualTo(open.toSeconds());
        for (Held held : first) {
            scenario.truth().asks(held.post().key());
            held.articles().commit();
            scenario.truth().published(held.post());
        }
        awaitMarkAfter(firstOpen);
        assertThat(settledMarks()).as("settled marks").allMatch(mark -> mark <= secondOpen);
    }

    /** Rolls back the second transactions when they have been open long enough. The settled mark advances. */
    void rollBackSecond(Duration open) throws SQLException {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(probe.oldestHeldSeconds()).isGreaterThanOrEqualTo(open.toSeconds()));
        for (Held held : second) {
            held.articles().rollback();
        }
        awaitMarkAfter(secondOpen);
    }

    private void awaitMarkAfter(long millis) {
        await().atMost(LIMIT).until(() -> settledMarks().stream().allMatch(mark -> mark > millis));
    }

    /** Checks that the feeds have each of the first posts once, and none of the second ones. */
    void finish() throws InterruptedException, ExecutionException, SQLException {
        scenario.finish("host transactions held open: committed=" + first.size() + " rolled back=" + second.size()
                + " posts published meanwhile=" + (before.posts() - postsBefore) + " tasks finished meanwhile="
                + before.tasksFinished() + " looks=" + looks + " deadlocks="
                + probe.deadlocks());
    }

    @Override
    public void close() throws SQLException {
        for (Held held : first) {
            held.articles().close();
        }
        for (Held held : second) {
            held.articles().close();
        }
        scenario.close();
    }
}
