package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Walks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Evicts single keys of inboxes, and checks that a walk afterwards shows what one did before. Used by one thread. */
final class Evictions {

    private static final String UNFINISHED = "fay";

    private final Admin admin;
    private final Scenario scenario;
    private final Random random = new Random(7);
    private final Map<String, Integer> evicted = new TreeMap<>();
    private final Set<PostKey> missed = new HashSet<>();

    Evictions(Admin admin, Scenario scenario) {
        this.admin = admin;
        this.scenario = scenario;
        for (int n = 0; n < 3; n++) {
            Post post = Post.of(UNFINISHED, "f" + n, System.currentTimeMillis());
            scenario.truth().asks(post.key());
            scenario.truth()
                    .published(scenario.nodes().get(0).engine().publish(post).post());
        }
    }

    /**
     * Begins a follow that nobody finishes, as if a host had ended there: only a pending follow says that the inbox
     * lacks posts.
     */
    void beginFollow(Inbox inbox) {
        List<String> readers = scenario.members().readers();
        String reader = readers.get(random.nextInt(readers.size()));
        inbox.beginFollow(reader, List.of(UNFINISHED));
        graph().add(List.of(new Edge(reader, UNFINISHED)));
    }

    /** All readers leave the authors whom they began to follow. */
    void leave() {
        FeedEngine feed = scenario.nodes().get(0).engine();
        scenario.members().readers().forEach(reader -> feed.unfollow(reader, UNFINISHED));
    }

    private WritableFollowGraph graph() {
        return (WritableFollowGraph) scenario.nodes().get(0).store().graph();
    }

    /** Evicts a key of a kind, of any reader who has one. */
    void evict(String kind) {
        List<String> keys = admin.commands().keys("*:" + kind + ":*");
        if (keys.isEmpty()) {
            return;
        }
        String key = keys.get(random.nextInt(keys.size()));
        String reader = key.substring(key.lastIndexOf(':') + 1);
        List<Node> nodes = scenario.nodes();
        FeedEngine feed = nodes.get(random.nextInt(nodes.size())).engine();
        Set<PostKey> before = walk(feed, reader);
        if (admin.commands().del(key) > 0) {
            evicted.merge(kind, 1, Integer::sum);
        }
        before.removeAll(walk(feed, reader));
        missed.addAll(before);
    }

    /** A post that is missing now was deleted. */
    void check() {
        assertThat(evicted).containsOnlyKeys("inbox", "notes");
        assertThat(scenario.truth().gone()).containsAll(missed);
    }

    private Set<PostKey> walk(FeedEngine feed, String reader) {
        Set<PostKey> shown = new HashSet<>();
        Set<String> authors = new HashSet<>(scenario.members().authors());
        authors.add(UNFINISHED);
        for (Post post : Walks.plain(feed, reader)) {
            // Other authors are followed and left meanwhile.
            if (authors.contains(post.author())) {
                shown.add(post.key());
            }
        }
        return shown;
    }

    @Override
    public String toString() {
        return evicted.toString();
    }
}
