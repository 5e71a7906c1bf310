package io.feedkit.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.RankSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A saved order")
class SavedOrderTest {

    private static final int MOST = 1000;

    private static final List<String> AWKWARD = List.of(
            "0",
            "00",
            "7",
            "007",
            "127",
            "128",
            "255",
            "256",
            "-1",
            "+1",
            "9223372036854775807",
            "9223372036854775808",
            "99999999999999999999",
            "123456789012345678",
            "!",
            "~",
            "~".repeat(64),
            "9".repeat(64),
            "01890a5d-ac96-774b-bcce-b302099a8057",
            "01890A5D-AC96-774B-BCCE-B302099A8057",
            "01890a5d-ac96-774b-bcce_b302099a8057",
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "01890a5dac96774bbcceb302099a8057----");

    private static List<Post> posts(int count, IntFunction<String> authors, IntFunction<String> ids) {
        return IntStream.range(0, count)
                .mapToObj(i -> Post.of(authors.apply(i), ids.apply(i), 1000L + i))
                .toList();
    }

    private static List<PostKey> keys(List<Post> posts) {
        return posts.stream().map(Post::key).toList();
    }

    private static List<PostKey> rest(SavedOrder order) {
        List<PostKey> keys = new ArrayList<>();
        for (int most = 1; !order.atEnd(); most++) {
            assertThat(order.place()).isGreaterThanOrEqualTo(0);
            keys.addAll(order.next(most));
        }
        return keys;
    }

    private static SavedOrder open(List<Post> posts, int place) {
        return SavedOrder.open(SavedOrder.bytes(posts, Set.of()), place).orElseThrow();
    }

    @Test
    @DisplayName("comes back from every place, with ids of every form")
    void roundTrip() {
        List<Post> posts = new ArrayList<>();
        for (String author : AWKWARD) {
            AWKWARD.forEach(id -> posts.add(Post.of(author, id, 1)));
        }
        for (int place : new int[] {0, 1, 2, 23, 24, 25, 300, posts.size() - 1, posts.size()}) {
            assertThat(rest(open(posts, place)))
                    .as("from place %d", place)
                    .isEqualTo(keys(posts.subList(place, posts.size())));
        }
    }

    @Test
    @DisplayName("comes back with a thousand posts of a thousand authors, and of one")
    void authors() {
        List<Post> many = posts(MOST, i -> "author-" + i, i -> "p" + i);
        assertThat(rest(open(many, 500))).isEqualTo(keys(many.subList(500, MOST)));
        List<Post> repeated = posts(MOST, i -> "author-" + i * 7919 % 400, i -> "p" + i);
        assertThat(rest(open(repeated, 0))).isEqualTo(keys(repeated));
        assertThat(rest(open(repeated, 999))).isEqualTo(keys(repeated.subList(999, MOST)));
        List<Post> one = posts(MOST, i -> "bob", i -> "p" + i);
        assertThat(rest(open(one, 1))).isEqualTo(keys(one.subList(1, MOST)));
    }

    @Test
    @DisplayName("ends at its end, from a place beyond it too")
    void beyond() {
        List<Post> posts = posts(3, i -> "bob", i -> "p" + i);
        assertThat(open(posts, 3).atEnd()).isTrue();
        SavedOrder beyond = open(posts, 65_535);
        assertThat(beyond.atEnd()).isTrue();
        assertThat(beyond.next(10)).isEmpty();
        assertThat(open(List.of(), 0).atEnd()).isTrue();
    }

    @Test
    @DisplayName("keeps the caveats of the first page")
    void caveats() {
        for (Set<Caveat> caveats : List.of(
                Set.<Caveat>of(),
                Set.of(Caveat.STALE),
                Set.of(Caveat.SOME_FOLLOWEES),
                Set.of(Caveat.STALE, Caveat.SOME_FOLLOWEES))) {
            assertThat(SavedOrder.open(SavedOrder.bytes(posts(1, i -> "b", i -> "p"), caveats), 0)
                            .orElseThrow()
                            .caveats())
                    .isEqualTo(caveats);
        }
    }

    @Test
    @DisplayName("takes 11 bytes a post if ids are 18 digits, 19 if they are UUIDs, and no more than a snapshot may")
    void sizes() {
        Random random = new Random(1);
        List<Post> digits = posts(
                500,
                i -> Long.toString(1_000_000_000_000_000_000L + random.nextInt(100)),
                i -> Long.toString(100_000_000_000_000_000L + random.nextInt()));
        assertThat(SavedOrder.bytes(digits, Set.of()).length - 100 * 10).isBetween(500 * 9, 500 * 11);
        List<Post> uuids = posts(
                500, i -> new UUID(7, random.nextInt(100)).toString(), i -> new UUID(random.nextLong(), 1).toString());
        assertThat(SavedOrder.bytes(uuids, Set.of()).length - 100 * 18).isBetween(500 * 17, 500 * 19);
        List<Post> small = posts(500, i -> Integer.toString(i % 100), i -> Integer.toString(20_000_000 + i));
        assertThat(SavedOrder.bytes(small, Set.of()).length).isLessThanOrEqualTo(500 * 6 + 500);
        List<Post> longest = posts(MOST, i -> "a".repeat(60) + (1000 + i), i -> "b".repeat(60) + (1000 + i));
        assertThat(SavedOrder.bytes(longest, Set.of()).length)
                .isBetween(131_000, 131_100)
                .isLessThan(RankSnapshots.MOST_BYTES);
        assertThat(rest(open(longest, 0))).isEqualTo(keys(longest));
    }

    @Test
    @DisplayName("is not opened if it is cut, altered, empty or of another version")
    void damaged() {
        byte[] bytes = SavedOrder.bytes(posts(20, i -> "author" + i, i -> "p" + i), Set.of());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThat(SavedOrder.open(cut, 0)).isEmpty();
        }
        for (int i = 0; i < bytes.length; i++) {
            byte[] altered = bytes.clone();
            altered[i] ^= 1;
            assertThat(SavedOrder.open(altered, 0)).isEmpty();
        }
    }
}
