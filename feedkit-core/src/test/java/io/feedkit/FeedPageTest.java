package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.memory.InMemoryFeedStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of a feed")
class FeedPageTest {

    private final FeedEngine engine = FeedEngine.builder(InMemoryFeedStore.create(new ManualClock()))
            .clock(new ManualClock())
            .workers(0)
            .maxFollowees(1)
            .build();

    private FeedPage<Post> page;

    @BeforeEach
    void read() {
        engine.follow("ann", "amy");
        engine.follow("ann", "bob");
        engine.publishAll(List.of(post("p1"), post("p2"), post("p3"), new Post("bob", "p4", ManualClock.START)));
        page = engine.read("ann", PageRequest.first(2));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static Post post(String id) {
        return new Post("amy", id, ManualClock.START);
    }

    @Test
    @DisplayName("is mapped item by item; its cursors and caveats stay")
    void map() {
        FeedPage<Object> mapped = page.map(Post::id);
        assertThat(mapped.items()).containsExactly("p3", "p2");
        assertThat(mapped.older()).isPresent().isEqualTo(page.older());
        assertThat(mapped.newer()).isEqualTo(page.newer());
        assertThat(mapped.moreNewer()).isFalse();
        assertThat(mapped.caveats()).containsExactly(FeedPage.Caveat.SOME_FOLLOWEES);
        FeedPage<Post> upwards =
                engine.read("ann", PageRequest.atOrNewer(page.older().orElseThrow(), 1));
        assertThat(upwards.moreNewer()).isTrue();
        assertThat(upwards.map(Post::id).moreNewer()).isTrue();
    }

    @Test
    @DisplayName("cannot be changed, and has no null after it was mapped")
    void immutable() {
        FeedPage<String> mapped = page.map(Post::id);
        assertThatThrownBy(() -> mapped.items().add("p5")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> page.map(post -> null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the mapper's item must not be null");
        assertThatThrownBy(() -> page.map(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mapper must not be null");
    }

    @Test
    @DisplayName("equals a page with the same values, and shows them")
    void values() {
        FeedPage<Post> again = engine.read("ann", PageRequest.first(2));
        assertThat(again).isEqualTo(page).hasSameHashCodeAs(page).isNotEqualTo(page.map(Post::id));
        assertThat(page.toString())
                .startsWith("FeedPage[items=[Post[author=amy, id=p3, ")
                .contains("SOME_FOLLOWEES");
    }
}
