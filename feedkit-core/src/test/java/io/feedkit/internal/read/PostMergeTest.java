package io.feedkit.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.internal.read.PostMerge.Found;
import io.feedkit.internal.read.PostMerge.Run;
import io.feedkit.internal.read.PostMerge.Source;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Merging sources of unequal depth")
class PostMergeTest {

    /** The beginning of a source, and how far it is complete. */
    private record MergedSource(Source source, Position reach) {}

    private static List<Source> sources(List<MergedSource> shown) {
        return shown.stream().map(MergedSource::source).toList();
    }

    /** What each of some sources holds, of which a reader knows a beginning only. */
    private record Truth(List<TreeSet<Post>> sources, Order order) {

        static Truth random(Random random, Order order) {
            Comparator<Post> reading =
                    order == Order.NEWEST_FIRST ? (a, b) -> Position.compare(b, a) : Position::compare;
            List<TreeSet<Post>> sources = new ArrayList<>();
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                TreeSet<Post> posts = new TreeSet<>(reading);
                int size = random.nextInt(12);
                for (int n = 0; n < size; n++) {
                    posts.add(Post.of("abc".substring(random.nextInt(3)), "p" + random.nextInt(3), random.nextInt(8)));
                }
                sources.add(posts);
            }
            return new Truth(sources, order);
        }

        /** Sources that show their first posts only, and may say that they are complete further than that. */
        List<MergedSource> shown(Random random) {
            List<MergedSource> shown = new ArrayList<>();
            for (TreeSet<Post> source : sources) {
                List<Post> posts = new ArrayList<>(source);
                int depth = random.nextInt(posts.size() + 2);
                List<Post> first = posts.subList(0, Math.min(depth, posts.size()));
                boolean down = order == Order.NEWEST_FIRST;
                boolean further = true;
                Position reach = down ? Position.HIGHEST : Position.LOWEST;
                if (depth > posts.size()) {
                    reach = down ? Position.LOWEST : Position.HIGHEST;
                } else if (depth < posts.size() && random.nextBoolean()) {
                    Position hidden = Position.of(posts.get(depth));
                    reach = down ? hidden.next() : hidden;
                } else if (!first.isEmpty()) {
                    Position last = Position.of(posts.get(first.size() - 1));
                    reach = down ? last : last.next();
                    further = false;
                }
                shown.add(new MergedSource(new Source(first, further ? Optional.of(reach) : Optional.empty()), reach));
            }
            return shown;
        }

        List<Post> upTo(Position reach) {
            TreeSet<Post> all = new TreeSet<>(sources.get(0).comparator());
            sources.forEach(all::addAll);
            return all.stream()
                    .filter(post ->
                            order == Order.NEWEST_FIRST ? reach.compareOf(post) >= 0 : reach.compareOf(post) < 0)
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("gives exactly what lies within the reach of all, sorted and without duplicates, up to the limit")
    void againstBruteForce(Order order) {
        Random random = new Random(11);
        for (int round = 0; round < 5000; round++) {
            Truth truth = Truth.random(random, order);
            List<MergedSource> shown = truth.shown(random);
            int deepest = shown.stream()
                    .mapToInt(each -> each.source().posts().size())
                    .max()
                    .orElse(0);
            int limit = Math.max(1, deepest) + random.nextInt(3);
            Run run = PostMerge.of(order, sources(shown), limit);
            assertThat(run.found()).hasSizeLessThanOrEqualTo(limit);
            assertThat(run.found().stream().map(Found::post).toList()).isEqualTo(truth.upTo(run.reach()));
            Position shallowest = shown.stream()
                    .map(MergedSource::reach)
                    .reduce(order == Order.NEWEST_FIRST ? Position::max : Position::min)
                    .orElseThrow();
            if (run.found().size() < limit) {
                assertThat(run.reach()).isEqualTo(shallowest);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("names the first source that had a post")
    void firstSource(Order order) {
        Random random = new Random(12);
        for (int round = 0; round < 2000; round++) {
            Truth truth = Truth.random(random, order);
            List<Source> sources = sources(truth.shown(random));
            for (Found found : PostMerge.of(order, sources, 100).found()) {
                for (int i = 0; i < found.source(); i++) {
                    assertThat(sources.get(i).posts()).doesNotContain(found.post());
                }
                assertThat(sources.get(found.source()).posts()).contains(found.post());
            }
        }
    }
}
