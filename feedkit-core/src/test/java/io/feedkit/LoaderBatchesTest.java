package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.FanoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The batches of a loader")
class LoaderBatchesTest {

    private static final int AUTHORS = 5;
    private static final int POSTS = 1200;

    private final List<List<Post>> batches = new ArrayList<>();

    private PostLoader<String> loader(Predicate<Post> exists) {
        return posts -> {
            batches.add(posts);
            return posts.stream().filter(exists).collect(Collectors.toMap(Function.identity(), Post::id));
        };
    }

    private static FeedEngine engine(FanoutPolicy policy) {
        FeedEngine engine = FeedEngine.inMemory().policy(policy).workers(0).build();
        IntStream.range(0, AUTHORS).forEach(i -> engine.follow("ann", "author" + i));
        engine.read("ann", PageRequest.first(1));
        engine.publishAll(IntStream.range(0, POSTS)
                .mapToObj(i -> Post.of("author" + i % AUTHORS, "p" + i, 1_000_000 + i))
                .toList());
        engine.fanout().drain();
        return engine;
    }

    static Stream<Arguments> pages() {
        return Map.of("push", FanoutPolicy.push(), "pull", FanoutPolicy.pull()).entrySet().stream()
                .flatMap(policy -> Stream.of(1, 20, PageRequest.MAX_LIMIT)
                        .map(size -> Arguments.of(policy.getKey(), policy.getValue(), size)));
    }

    @ParameterizedTest(name = "{0}, {2} posts")
    @MethodSource("pages")
    @DisplayName("are one for a page, whatever its size, if all posts have content")
    void one(String name, FanoutPolicy policy, int size) {
        try (FeedEngine engine = engine(policy)) {
            FeedPage<String> page = engine.read("ann", PageRequest.first(size), loader(post -> true));
            assertThat(page.items()).hasSize(size).startsWith("p" + (POSTS - 1));
            assertThat(batches).hasSize(1);
            assertThat(batches.get(0)).hasSizeBetween(size, size + 1);

            batches.clear();
            Cursor end = page.older().orElseThrow();
            assertThat(engine.read("ann", PageRequest.atOrNewer(end, size), loader(post -> true))
                            .items())
                    .hasSize(size);
            assertThat(batches).hasSize(1);
        }
    }

    @Test
    @DisplayName("are one for a page of an author")
    void author() {
        try (FeedEngine engine = engine(FanoutPolicy.pull())) {
            FeedPage<String> page =
                    engine.readAuthor("author1", PageRequest.first(PageRequest.MAX_LIMIT), loader(post -> true));
            assertThat(page.items()).hasSize(POSTS / AUTHORS);
            assertThat(batches).hasSize(1);
        }
    }

    @Test
    @DisplayName("have each post once, and only as many as the page still needs, if content is gone")
    void refill() {
        try (FeedEngine engine = engine(FanoutPolicy.pull())) {
            FeedPage<String> page = engine.read(
                    "ann", PageRequest.first(40), loader(post -> !post.author().equals("author3")));
            assertThat(page.items()).hasSize(40);
            List<Post> asked = batches.stream().flatMap(List::stream).toList();
            assertThat(asked).doesNotHaveDuplicates();
            assertThat(asked.stream().filter(post -> !post.author().equals("author3")))
                    .hasSize(41);
            assertThat(batches.get(0)).hasSize(41);
        }
    }
}
