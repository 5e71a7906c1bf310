package io.feedkit.testservers.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedKitException;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Walks through feeds all the time, on a thread of its own. Fails if a feed shows a post twice or out of order, or a
 * post that was deleted or never published. Used by one thread.
 */
public final class FeedMonitor implements AutoCloseable {

    private final Members members;
    private final Truth truth;
    private final List<Node> nodes;
    private final Predicate<PostKey> real;
    private final Random random = new Random(1);
    private final Threads thread = new Threads();
    private final AtomicInteger walks = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    private FeedMonitor(Members members, Truth truth, List<Node> nodes, Predicate<PostKey> real) {
        this.members = members;
        this.truth = truth;
        this.nodes = nodes;
        this.real = real;
    }

    /**
     * Starts a monitor.
     *
     * @param members the members whose feeds are read
     * @param truth which posts are real, and which are deleted
     * @param nodes the nodes to read through
     * @return the monitor
     */
    public static FeedMonitor start(Members members, Truth truth, List<Node> nodes) {
        return start(members, truth, nodes, truth::wasAskedFor);
    }

    /**
     * Starts a monitor with another definition of real posts.
     *
     * @param members the members whose feeds are read
     * @param truth which posts are deleted
     * @param nodes the nodes to read through
     * @param real whether a post is real
     * @return the monitor
     */
    public static FeedMonitor start(Members members, Truth truth, List<Node> nodes, Predicate<PostKey> real) {
        FeedMonitor monitor = new FeedMonitor(members, truth, nodes, real);
        monitor.thread.start(monitor::look);
        return monitor;
    }

    /**
     * Finishes the last walk, and ends.
     *
     * @throws InterruptedException if the caller is interrupted
     * @throws ExecutionException if a walk failed
     */
    public void finish() throws InterruptedException, ExecutionException {
        thread.finish();
    }

    /**
     * Returns the members whose feeds are read.
     *
     * @return the members
     */
    public Members members() {
        return members;
    }

    /**
     * Counts the complete walks.
     *
     * @return how many
     */
    public int walks() {
        return walks.get();
    }

    /**
     * Counts the walks that ended with a typed exception.
     *
     * @return how many
     */
    public int refused() {
        return refused.get();
    }

    /** Ends at once, also in the middle of a walk. */
    @Override
    public void close() {
        thread.close();
    }

    private void look() {
        while (thread.goOn()) {
            try {
                walk(
                        nodes.get(random.nextInt(nodes.size())),
                        members.readers().get(random.nextInt(members.readers().size())));
                walks.incrementAndGet();
            } catch (FeedKitException e) {
                refused.incrementAndGet();
            }
            Rounds.moment(random, 100);
        }
    }

    private void walk(Node node, String reader) {
        List<Post> shown = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(Walks.first());
        while (next.isPresent()) {
            Set<PostKey> gone = truth.gone();
            FeedPage<Post> page = Walks.hydrated(node.engine(), reader, next.get());
            assertThat(page.items()).allMatch(post -> real.test(post.key()), "is real");
            assertThat(page.items()).noneMatch(post -> gone.contains(post.key()));
            shown.addAll(page.items());
            next = page.older().map(Walks::below);
        }
        assertThat(shown).doesNotHaveDuplicates().isSortedAccordingTo(OracleFeed.NEWEST_FIRST);
    }
}
