package io.feedkit.bench.scale.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.bench.scale.outage.History.ShownPage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A history of posts and follows")
class HistoryTest {

    private static final String READER = "reader";
    private static final long LATER = Long.MAX_VALUE - 1;

    private final History history = new History();
    private final List<History.Entry> entries = new ArrayList<>();
    private final List<Post> feed = new ArrayList<>();

    @BeforeEach
    void publish() {
        history.follows(READER, List.of("author"));
        for (int i = 0; i < 3; i++) {
            History.Entry entry = history.post(Post.of("author", "post-" + i, i));
            entry.published().acknowledge();
            entries.add(entry);
            feed.add(0, entry.post());
        }
    }

    private Optional<String> wrong(List<Post> posts, boolean last, long settled) {
        return history.wrong(new ShownPage(READER, posts, Optional.empty(), last, LATER, LATER, settled));
    }

    @Test
    @DisplayName("finds nothing wrong with what the oracle shows, whole or cut short")
    void right() {
        assertThat(history.oracle().feed(READER)).isEqualTo(feed);
        assertThat(wrong(feed, true, LATER)).isEmpty();
        assertThat(wrong(feed.subList(0, 2), false, LATER)).isEmpty();
    }

    @Test
    @DisplayName("finds a post that is lost at the top, in the middle and at the end, once it is settled")
    void lost() {
        assertThat(wrong(feed.subList(1, 3), true, LATER)).hasValueSatisfying(is("lacks", 2));
        assertThat(wrong(List.of(feed.get(0), feed.get(2)), true, LATER)).hasValueSatisfying(is("lacks", 1));
        assertThat(wrong(feed.subList(0, 2), true, LATER)).hasValueSatisfying(is("lacks", 0));
        assertThat(wrong(feed.subList(1, 3), true, 0)).isEmpty();
    }

    private static Consumer<String> is(String verb, int post) {
        return text -> assertThat(text).contains(verb, "post-" + post);
    }

    @Test
    @DisplayName("finds a post that is repeated or out of order")
    void order() {
        List<Post> reversed = new ArrayList<>(feed);
        Collections.reverse(reversed);
        assertThat(wrong(reversed, true, LATER)).isPresent();
        assertThat(wrong(List.of(feed.get(0), feed.get(0), feed.get(1), feed.get(2)), true, LATER))
                .isPresent();
    }

    @Test
    @DisplayName("finds a post that was deleted before; while the delete goes on it may be shown or not")
    void resurrected() {
        entries.get(1).deleted().ask();
        assertThat(wrong(feed, true, LATER)).isEmpty();
        assertThat(wrong(List.of(feed.get(0), feed.get(2)), true, LATER)).isEmpty();

        entries.get(1).deleted().acknowledge();
        assertThat(wrong(feed, true, LATER)).hasValueSatisfying(is("shows", 1));
        assertThat(history.oracle().feed(READER)).containsExactly(feed.get(0), feed.get(2));
    }

    @Test
    @DisplayName("finds a post of an author who is not followed; while that changes it may be shown or not")
    void unfollowed() {
        Transition unfollow = history.edge(READER, "author").turn();
        assertThat(wrong(feed, true, LATER)).isEmpty();
        assertThat(wrong(List.of(), true, LATER)).isEmpty();

        unfollow.acknowledge();
        assertThat(wrong(feed, true, LATER)).hasValueSatisfying(is("shows", 2));
        assertThat(wrong(List.of(), true, LATER)).isEmpty();

        history.edge(READER, "author").turn().acknowledge();
        assertThat(wrong(List.of(), true, LATER)).isPresent();
    }

    @Test
    @DisplayName("wants of a further page what is below the page before")
    void furtherPage() {
        Optional<Post> below = Optional.of(feed.get(0));
        assertThat(history.wrong(new ShownPage(READER, feed.subList(1, 3), below, true, LATER, LATER, LATER)))
                .isEmpty();
        assertThat(history.wrong(new ShownPage(READER, feed.subList(2, 3), below, true, LATER, LATER, LATER)))
                .isPresent();
        assertThat(history.wrong(new ShownPage(READER, feed, below, true, LATER, LATER, LATER)))
                .isPresent();
    }
}
