package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of followers or followees")
class FollowPageTest {

    @Test
    @DisplayName("leads to the next one until the list ends")
    void walk() {
        try (FeedEngine feed = FeedEngine.inMemory().workers(0).build()) {
            List<String> readers = List.of("r1", "r2", "r3", "r4", "r5");
            readers.forEach(reader -> {
                feed.follow(reader, "bob");
                feed.follow("ann", reader);
            });
            FollowPage followers = feed.followers("bob", 2);
            assertThat(followers).isEqualTo(FollowPage.of(List.of("r1", "r2"), true));
            assertThat(followers.next()).contains("r2");
            FollowPage followees = feed.followees("ann", "r2", 3);
            assertThat(followees).isEqualTo(FollowPage.of(List.of("r3", "r4", "r5"), false));
            assertThat(followees.next()).isEmpty();
            assertThat(feed.followers("zoe", 10)).isEqualTo(FollowPage.of(List.of(), false));
        }
    }

    @Test
    @DisplayName("is a value")
    void value() {
        List<String> ids = new ArrayList<>(List.of("a", "b"));
        FollowPage page = FollowPage.of(ids, true);
        ids.clear();
        assertThat(page.ids()).containsExactly("a", "b");
        assertThatThrownBy(() -> page.ids().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(page)
                .isEqualTo(FollowPage.of(List.of("a", "b"), true))
                .hasSameHashCodeAs(FollowPage.of(List.of("a", "b"), true))
                .isNotEqualTo(FollowPage.of(List.of("a", "b"), false))
                .isNotEqualTo(FollowPage.of(List.of("a"), true))
                .hasToString("FollowPage[ids=[a, b], next=b]");
        assertThatThrownBy(() -> FollowPage.of(List.of(), true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FollowPage.of(null, false)).isInstanceOf(IllegalArgumentException.class);
    }
}
