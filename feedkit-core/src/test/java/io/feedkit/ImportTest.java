package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Imported posts")
class ImportTest {

    private static final int MANY = 300;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final FeedEngine engine =
            FeedEngine.builder(store).clock(clock).workers(0).build();

    @AfterEach
    void close() {
        engine.close();
    }

    private static List<Post> posts(String author, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> Post.of(author, "p" + n, n))
                .toList();
    }

    private void importPosts(String author, int count) {
        engine.importPosts(author, posts(author, count));
        engine.fanout().drain();
    }

    private Set<String> registered() {
        PulledRegister register = store.outbox().pulled();
        Update all = register.update(Optional.empty(), List.of(), 1000);
        assertThat(all.scope()).isEqualTo(Scope.WHOLE);
        return all.entries().keySet();
    }

    private List<String> page(String reader) {
        return engine.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    @Test
    @DisplayName("register nobody while no follower has an inbox, and show when one is built")
    void noInbox() {
        engine.follow("ann", "bob");
        importPosts("bob", 3);
        importPosts("cat", 2);
        assertThat(registered()).isEmpty();
        assertThat(page("ann")).containsExactly("p3", "p2", "p1");
        engine.follow("ann", "cat");
        assertThat(page("ann")).hasSize(5);
        assertThat(registered()).isEmpty();
    }

    @Test
    @DisplayName("register their author if a follower has an inbox, and show at once")
    void liveInbox() {
        engine.follow("ann", "bob");
        engine.follow("zoe", "bob");
        assertThat(page("zoe")).isEmpty();
        engine.importPosts("bob", posts("bob", 3));
        assertThat(page("zoe")).containsExactly("p3", "p2", "p1");
        engine.fanout().drain();
        assertThat(registered()).containsExactly("bob");
        assertThat(page("zoe")).containsExactly("p3", "p2", "p1");
    }

    @Test
    @DisplayName("show in an inbox that is built while the import looks for one")
    void builtMeanwhile() {
        engine.follow("ann", "bob");
        List<String> seen = new ArrayList<>();
        store.before("FollowGraph.followers", () -> {
            if (seen.isEmpty()) {
                seen.addAll(page("ann"));
            }
        });
        engine.importPosts("bob", posts("bob", 3));
        assertThat(seen).containsExactly("p3", "p2", "p1");
        engine.fanout().drain();
        assertThat(page("ann")).containsExactly("p3", "p2", "p1");
    }

    @Test
    @DisplayName("show in an inbox that was live before the posts were appended, whatever the worker finds")
    void lostInBetween() {
        engine.follow("ann", "bob");
        assertThat(page("ann")).isEmpty();
        store.fail("Inbox.slice");
        engine.importPosts("bob", posts("bob", 3));
        engine.fanout().drain();
        store.heal();
        assertThat(registered()).containsExactly("bob");
        assertThat(page("ann")).containsExactly("p3", "p2", "p1");
    }

    @Test
    @DisplayName("register an author with very many followers without looking")
    void manyFollowers() {
        for (int n = 0; n < MANY; n++) {
            engine.follow("reader-" + n, "star");
        }
        int slices = store.calls("Inbox.slice");
        importPosts("star", 2);
        assertThat(registered()).containsExactly("star");
        assertThat(store.calls("Inbox.slice")).isEqualTo(slices);
    }

    @Test
    @DisplayName("are told and fanned out even if the host's graph fails in an unexpected way")
    void graphFails() {
        engine.follow("ann", "bob");
        assertThat(page("ann")).isEmpty();
        store.before("FollowGraph.followers", () -> {
            throw new IllegalStateException("the host's graph");
        });
        assertThat(engine.importPosts("bob", posts("bob", 2))).hasSize(2);
        assertThat(page("ann")).containsExactly("p2", "p1");
    }
}
