package io.feedkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A follow graph that belongs to the host: a test writes it, and engines can only read it. */
public final class HostsTable implements FollowGraph {

    private final WritableFollowGraph edges = InMemoryFeedStore.create().graph();
    private final AtomicInteger questions = new AtomicInteger();
    private volatile boolean down;
    private volatile Runnable afterQuestion = () -> {};

    /** A store with this graph. */
    public FeedStore in(FeedStore store) {
        return FeedStore.of(store.outbox(), store::inbox, this, store.seenMarks());
    }

    public void insert(String reader, String author) {
        edges.add(List.of(new Edge(reader, author)));
    }

    public void delete(String reader, String author) {
        edges.remove(List.of(new Edge(reader, author)));
    }

    /** Lets {@link #followed} fail, or work again. */
    public void breakDown(boolean broken) {
        down = broken;
    }

    /** Runs an action once, when {@link #followed} has its next answer and has not returned it yet. */
    public void afterQuestion(Runnable action) {
        afterQuestion = action;
    }

    /** How often {@link #followed} was called. */
    public int questions() {
        return questions.get();
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return edges.followers(queries);
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        return edges.followees(reader, after, limit);
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        questions.incrementAndGet();
        if (down) {
            throw new StoreUnavailableException("table.followed", null);
        }
        Set<String> answer = edges.followed(reader, authors);
        Runnable action = afterQuestion;
        afterQuestion = () -> {};
        action.run();
        return answer;
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        return edges.counts(users);
    }
}
