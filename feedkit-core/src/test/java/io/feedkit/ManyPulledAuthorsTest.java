package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A page of a reader who follows many pulled authors")
class ManyPulledAuthorsTest {

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));

    @ParameterizedTest(name = "{0} authors")
    @CsvSource({"1000, 1, 0", "1001, 0, 1"})
    @DisplayName("asks for the heads of a thousand, and for one merged page of more")
    void calls(int authors, int heads, int pages) {
        try (FeedEngine engine = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .build()) {
            engine.read("ann", PageRequest.first(1));
            List<Post> posts = IntStream.range(0, authors)
                    .mapToObj(i -> new Post("author" + i, "p" + i, ManualClock.START.minusSeconds(i)))
                    .toList();
            posts.forEach(post -> engine.follow("ann", post.author()));
            engine.publishAll(posts);
            int headsBefore = store.calls("Outbox.newest");
            int pagesBefore = store.calls("Outbox.page");
            assertThat(engine.read("ann", PageRequest.first(20)).posts()).isEqualTo(posts.subList(0, 20));
            assertThat(store.calls("Outbox.newest") - headsBefore).as("heads").isEqualTo(heads);
            assertThat(store.calls("Outbox.page") - pagesBefore)
                    .as("merged pages")
                    .isEqualTo(pages);
        }
    }
}
