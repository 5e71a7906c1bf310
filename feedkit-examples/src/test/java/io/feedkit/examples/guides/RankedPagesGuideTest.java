package io.feedkit.examples.guides;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.counter.Reactions;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import io.feedkit.rank.Rankers;
import io.feedkit.rank.SnapshotExpiredException;
import io.feedkit.testkit.TestFeed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide to ranked pages shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to ranked pages")
class RankedPagesGuideTest {

    private static final int POSTS = 50;

    @RegisterExtension
    final TestFeed testFeed = TestFeed.inMemory();

    private record Card(String id) {}

    private final Reactions likes = Reactions.of(InMemoryCounterStore.create());
    private final RankingService rankingService = new RankingService();
    private Ranker ranker = Rankers.newest();
    private FeedEngine feed;

    /** A service of the host's that scores in batches. */
    private static final class RankingService {

        private final List<List<String>> calls = new ArrayList<>();

        Map<String, Double> score(String reader, List<String> ids) {
            calls.add(ids);
            return ids.stream().collect(toMap(id -> id, id -> (double) (reader + id).hashCode()));
        }
    }

    private Map<Post, Card> load(List<Post> posts) {
        return posts.stream().collect(toMap(post -> post, post -> new Card(post.id())));
    }

    private static Map<Post, Long> comments(List<Post> posts) {
        return posts.stream()
                .collect(toMap(post -> post, post -> (long) post.id().length()));
    }

    private static Map<Post, Double> weights(List<Post> posts) {
        return Map.of(posts.get(posts.size() - 1), 1.0);
    }

    @BeforeEach
    void fill() {
        feed = testFeed.engine();
        feed.follow("ann", "bob");
        for (int i = 1; i <= POSTS; i++) {
            testFeed.clock().advance(Duration.ofSeconds(1));
            feed.publish("bob", "post-" + i);
        }
        testFeed.drain();
    }

    // guide
    record Ranked(List<Card> cards, String next) {}

    Ranked page(String reader, String next) {
        RankRequest request = next == null
                ? RankRequest.top(500, 20) // rank 500 posts, show 20
                : RankRequest.after(RankCursor.parse(next), 20);
        RankedPage<Card> page = feed.ranked(reader, request, ranker, this::load); // ranker: below; load: your loader
        return new Ranked(page.items(), page.next().map(RankCursor::toString).orElse(null));
    }
    // end

    private List<String> walk() {
        List<Card> cards = new ArrayList<>();
        Ranked page = page("ann", null);
        cards.addAll(page.cards());
        while (page.next() != null) {
            page = page("ann", page.next());
            cards.addAll(page.cards());
        }
        return cards.stream().map(Card::id).toList();
    }

    @Test
    @DisplayName("walks through the pages of each ranker")
    void rankers() {
        likes.add("dan", "post-7");
        likes.add("eve", "post-7");
        likes.add("dan", "post-30");
        // guide
        Ranker hot = Rankers.hot(likes); // many likes, little age
        Ranker hotter = Rankers.hot(posts -> comments(posts), 2.5); // your counts; posts sink faster
        Ranker weighted = Rankers.weighted(posts -> weights(posts)); // a map; others weigh 0
        // end
        ranker = hot;
        assertThat(walk()).hasSize(POSTS).startsWith("post-7", "post-30", "post-50");
        ranker = hotter;
        assertThat(walk()).hasSize(POSTS).startsWith("post-50").endsWith("post-1");
        ranker = weighted;
        assertThat(walk()).hasSize(POSTS).startsWith("post-1", "post-50");
    }

    @Test
    @DisplayName("asks a service of the host's once for a walk")
    void service() {
        // guide
        Ranker service = (posts, context) -> {
            List<String> ids = posts.stream().map(Post::id).toList();
            Map<String, Double> scores = rankingService.score(context.reader(), ids); // one call
            return ids.stream().mapToDouble(id -> scores.getOrDefault(id, 0.0)).toArray();
        };
        // end
        ranker = service;
        assertThat(walk()).hasSize(POSTS).doesNotHaveDuplicates();
        assertThat(rankingService.calls).hasSize(1);
        assertThat(rankingService.calls.get(0)).hasSize(POSTS);
    }

    @Test
    @DisplayName("ends a walk half an hour after its first page")
    void expires() {
        Ranked first = page("ann", null);
        testFeed.clock().advance(Duration.ofMinutes(30));
        assertThatThrownBy(() -> page("ann", first.next())).isInstanceOf(SnapshotExpiredException.class);
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("ranked-pages.md", "RankedPagesGuideTest");
    }
}
