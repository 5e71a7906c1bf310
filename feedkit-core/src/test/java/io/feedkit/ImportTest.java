package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Imported posts")
class ImportTest {

    private static final int MANY = 2500;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final List<String> delivered = new ArrayList<>();
    private final FeedEngine engine = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .listener(new FeedListener() {
                @Override
                public void delivered(PostDelivered event) {
                    delivered.add(event.post().id());
                }
            })
            .fanout(fanout -> fanout.maxAttempts(2).retryDelay(Duration.ofMillis(1)))
            .build();

    @AfterEach
    void close() {
        engine.close();
    }

    private static List<Post> posts(String author, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> Post.of(author, "p" + n, n))
                .toList();
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
    @DisplayName("have one task for each author, reach live inboxes, and leave no author pulled")
    void pushed() {
        engine.follow("ann", "bob");
        engine.follow("zoe", "bob");
        assertThat(page("zoe")).isEmpty();
        List<Post> posts = new ArrayList<>(posts("bob", 9));
        posts.addAll(posts("cat", 5));
        Collections.shuffle(posts, new Random(1));
        assertThat(engine.importPosts(posts)).extracting(Published::post).isEqualTo(posts);
        assertThat(engine.fanout().backlog().byKind()).isEqualTo(Map.of(TaskKind.IMPORT, 2L));
        engine.fanout().drain();
        assertThat(registered()).isEmpty();
        assertThat(page("zoe")).hasSize(9).startsWith("p9", "p8");
        assertThat(page("ann")).hasSize(9);
    }

    @Test
    @DisplayName("of many authors are looked up together, and those of an author with many posts once more")
    void together() {
        List<Post> posts = new ArrayList<>(posts("many", 70));
        for (int n = 0; n < 20; n++) {
            engine.follow("zoe", "author-" + n);
            posts.addAll(posts("author-" + n, 2));
        }
        engine.follow("zoe", "many");
        assertThat(page("zoe")).isEmpty();
        int before = store.calls("Outbox.newest");
        engine.importPosts(posts);
        engine.fanout().drain();
        assertThat(store.calls("Outbox.newest") - before).isEqualTo(2);
        assertThat(engine.read("zoe", PageRequest.first(200)).items()).hasSize(70 + 40);
        assertThat(engine.refresh("zoe")).isZero();
    }

    @Test
    @DisplayName("are recorded in bounded batches")
    void batches() {
        List<Post> posts = new ArrayList<>(posts("bob", MANY));
        for (int n = 0; n < MANY; n++) {
            posts.add(Post.of("author-" + n, "p1", n));
        }
        assertThat(engine.importPosts(posts)).extracting(Published::status).containsOnly(Published.Status.NEW);
        assertThat(store.calls("Outbox.appendImported")).isEqualTo(2 * MANY / 1000);
        assertThat(engine.fanout().backlog().tasks()).isLessThanOrEqualTo(MANY + 3);
        assertThat(engine.importPosts(posts)).extracting(Published::status).containsOnly(Published.Status.SAME);
    }

    @Test
    @DisplayName("are pulled if the policy says so, and show at once")
    void pulled() {
        engine.usePolicy(FanoutPolicy.pull());
        engine.follow("zoe", "bob");
        assertThat(page("zoe")).isEmpty();
        engine.importPosts(posts("bob", 9));
        assertThat(page("zoe")).hasSize(9).startsWith("p9", "p8");
        assertThat(engine.fanout().backlog().byKind()).isEqualTo(Map.of(TaskKind.PULL, 1L));
        engine.fanout().drain();
        assertThat(registered()).containsExactly("bob");
        assertThat(page("zoe")).hasSize(9);
    }

    @Test
    @DisplayName("ask the policy once for each author, and are not written if it throws")
    void policy() {
        List<String> asked = new ArrayList<>();
        engine.usePolicy(author -> {
            asked.add(author.author());
            if (author.author().equals("dan")) {
                throw new IllegalStateException("no");
            }
            return author.author().equals("cat") ? FanoutMode.PUSH_ACTIVE : FanoutMode.PUSH;
        });
        List<Post> posts = new ArrayList<>(posts("bob", 3));
        posts.addAll(posts("cat", 3));
        engine.importPosts(posts);
        assertThat(asked).containsExactly("bob", "cat");
        assertThat(engine.fanout().backlog().byKind()).isEqualTo(Map.of(TaskKind.IMPORT, 1L, TaskKind.PULL, 1L));
        List<Post> refused = new ArrayList<>(posts("amy", 3));
        refused.addAll(posts("dan", 3));
        assertThatThrownBy(() -> engine.importPosts(refused)).isInstanceOf(CallbackException.class);
        assertThat(engine.readAuthor("amy", PageRequest.first(9)).items()).isEmpty();
    }

    @Test
    @DisplayName("among pulled posts of their author are pulled, too")
    void amongPulled() {
        engine.follow("zoe", "bob");
        engine.usePolicy(FanoutPolicy.pull());
        assertThat(page("zoe")).isEmpty();
        engine.publishAll(List.of(Post.of("bob", "old", 1), Post.of("bob", "new", 100)));
        try (FeedEngine importing =
                FeedEngine.builder(store).clock(clock).workers(0).build()) {
            importing.importPosts(List.of(Post.of("bob", "between", 50)));
        }
        assertThat(engine.fanout().backlog().byKind()).isEqualTo(Map.of(TaskKind.PULL, 3L));
        clock.advance(FeedEngineBuilder.DEFAULT_STALENESS);
        assertThat(page("zoe")).containsExactly("new", "between", "old");
    }

    @Test
    @DisplayName("show in an inbox that is built while they are imported")
    void builtMeanwhile() {
        engine.follow("ann", "bob");
        store.before("Outbox.appendImported", () -> page("ann"));
        engine.importPosts(posts("bob", 3));
        engine.fanout().drain();
        assertThat(page("ann")).containsExactly("p3", "p2", "p1");
    }

    @Test
    @DisplayName("are pulled while the inboxes cannot be reached for long, and no longer when they have been")
    void outage() {
        engine.follow("ann", "bob");
        assertThat(page("ann")).isEmpty();
        engine.importPosts(posts("bob", 9));
        store.fail("Inbox.deliver");
        for (int i = 0; i < 4; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(registered()).containsExactly("bob");
        assertThat(page("ann")).hasSize(9);
        store.heal();
        clock.advance(Duration.ofMinutes(10));
        engine.fanout().drain();
        assertThat(registered()).isEmpty();
        assertThat(page("ann")).hasSize(9);
    }

    @Test
    @DisplayName("that are pulled are registered together by a worker, if the import ended before it could do so")
    void endedBetween() {
        engine.follow("ann", "bob");
        assertThat(page("ann")).isEmpty();
        store.outbox().appendImported(posts("bob", 9), FanoutMode.PULL);
        engine.fanout().drain();
        assertThat(page("ann")).hasSize(9);
        assertThat(registered()).containsExactly("bob");
    }

    @Test
    @DisplayName("cost one delivery to a reader without an inbox")
    void probed() {
        for (int n = 0; n < 20; n++) {
            engine.follow("reader-" + n, "bob");
        }
        engine.importPosts(posts("bob", 50));
        engine.fanout().drain();
        assertThat(delivered).containsExactly("p50");
        assertThat(page("reader-3")).hasSize(10).startsWith("p50");
    }
}
