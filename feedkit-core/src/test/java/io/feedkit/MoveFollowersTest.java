package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.event.FeedListener;
import io.feedkit.event.FollowChanged;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A move of followers")
class MoveFollowersTest {

    @Test
    @DisplayName("reports each unfollow and each new follow to the listener, also for readers without an inbox")
    void events() {
        List<String> events = new ArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void followChanged(FollowChanged event) {
                events.add(event.reader() + (event.following() ? " + " : " - ") + event.author());
            }
        };
        try (FeedEngine feed =
                FeedEngine.inMemory().workers(0).listener(listener).build()) {
            feed.follow("ann", "bob");
            feed.follow("dan", "bob");
            feed.follow("dan", "eve");
            feed.follow("eve", "bob");
            feed.read("ann", PageRequest.first(1));
            events.clear();
            assertThat(feed.moveFollowers("bob", "eve")).isEqualTo(3);
            assertThat(events).containsExactlyInAnyOrder("ann - bob", "ann + eve", "dan - bob", "eve - bob");
        }
    }

    @Test
    @DisplayName("refuses one author as both, illegal ids, and a graph of the host")
    void refused() {
        try (FeedEngine feed = FeedEngine.inMemory().workers(0).build()) {
            assertThatThrownBy(() -> feed.moveFollowers("bob", "bob"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("to must be another author than from, but both are bob");
            assertThatThrownBy(() -> feed.moveFollowers("b b", "eve"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from");
        }
        InMemoryFeedStore store = InMemoryFeedStore.create();
        FeedStore hosts = FeedStore.of(store.outbox(), store::inbox, new HostsGraph(), store.seenMarks());
        try (FeedEngine feed = FeedEngine.builder(hosts).workers(0).build()) {
            assertThatThrownBy(() -> feed.moveFollowers("bob", "eve"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("moveFollowers needs a writable follow graph");
        }
    }

    private static final class HostsGraph implements FollowGraph {
        @Override
        public List<IdPage> followers(List<FollowerQuery> queries) {
            return queries.stream().map(query -> new IdPage(List.of(), false)).toList();
        }

        @Override
        public IdPage followees(String reader, String after, int limit) {
            return new IdPage(List.of(), false);
        }

        @Override
        public Set<String> followed(String reader, Collection<String> authors) {
            return Set.of();
        }

        @Override
        public Map<String, FollowCounts> counts(Collection<String> users) {
            return Map.of();
        }
    }
}
