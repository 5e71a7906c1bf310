package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.EPOCH;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.Samples.ties;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import io.feedkit.testkit.internal.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of {@link PostArchive} as tests. An archive has no clock, so a test binds only {@link #archive()}. Every
 * test expects an empty archive that no source of truth has claimed.
 *
 * @since 0.1.0
 */
public abstract class PostArchiveCompatibilityKit {

    private PostArchive archive;

    /** For leaf tests. */
    protected PostArchiveCompatibilityKit() {}

    /**
     * Returns the archive under test.
     *
     * @return the archive, the same within a test
     */
    protected abstract PostArchive archive();

    /**
     * Returns the archive as another process sees it.
     *
     * @return another object with the same data; the same object if the data is in this process
     */
    protected PostArchive anotherProcess() {
        return archive();
    }

    /**
     * How many threads race in tests of atomicity.
     *
     * @return 4, unless overridden
     */
    protected int threads() {
        return 4;
    }

    @BeforeEach
    void openArchive() {
        archive = archive();
    }

    private List<Post> page(Set<String> authors, PositionRange range, Order order, int limit) {
        return archive.page(new PageQuery(authors, range, order, limit));
    }

    private List<Post> all(String author) {
        return page(Set.of(author), PositionRange.ALL, Order.NEWEST_FIRST, 10_000);
    }

    private long count(String author) {
        return all(author).size();
    }

    private static List<PostKey> keys(List<Post> posts) {
        return posts.stream().map(Post::key).toList();
    }

    @Nested
    @DisplayName("Owner")
    class Owner {

        @Test
        @DisplayName("claiming again for the same source of truth changes nothing, also with posts")
        void again() {
            archive.claim("source-1");
            archive.store(posts("bob", 2));
            archive.claim("source-1");
            anotherProcess().claim("source-1");
            assertThat(all("bob")).hasSize(2);
        }

        @Test
        @DisplayName("an archive with posts of another source of truth is refused by name and value, and is unchanged")
        void foreign() {
            archive.claim("source-1");
            archive.store(posts("bob", 2));
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> anotherProcess().claim("source-2"))
                        .isInstanceOfSatisfying(ForeignStoreException.class, refused -> {
                            assertThat(refused.found()).isEqualTo("source-1");
                            assertThat(refused.expected()).isEqualTo("source-2");
                            assertThat(refused).hasMessageContainingAll("archive", "source-1", "source-2");
                        });
            }
            archive.claim("source-1");
            assertThat(all("bob")).hasSize(2);
        }

        @Test
        @DisplayName("an archive with posts of an unknown source of truth is refused, and is unchanged")
        void unknown() {
            archive.store(posts("bob", 2));
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> anotherProcess().claim("source-1"))
                        .isInstanceOfSatisfying(
                                ForeignStoreException.class,
                                refused ->
                                        assertThat(refused).hasMessageContainingAll("archive", "unknown", "source-1"));
            }
            assertThat(all("bob")).hasSize(2);
        }

        @Test
        @DisplayName("an archive without posts belongs to the first source of truth, too")
        void empty() {
            archive.claim("source-1");
            assertThatThrownBy(() -> anotherProcess().claim("source-2")).isInstanceOf(ForeignStoreException.class);
            archive.claim("source-1");
        }

        @Test
        @Tag("concurrency")
        @DisplayName("of sources of truth that claim a new archive at the same time, one owns it")
        void race() {
            List<Boolean> owners = Race.run(threads(), thread -> {
                try {
                    anotherProcess().claim("source-" + thread);
                    return true;
                } catch (ForeignStoreException e) {
                    return false;
                }
            });
            assertThat(owners).containsOnlyOnce(true);
            archive.claim("source-" + owners.indexOf(true));
        }
    }

    @Nested
    @DisplayName("Storing and deleting")
    class Writing {

        @Test
        @DisplayName("stored posts are there for every process, and storing them again changes nothing")
        void stored() {
            List<Post> posts = shuffled(posts("bob", 20), 1);
            archive.store(posts);
            archive.store(posts.subList(5, 15));
            assertThat(all("bob")).isEqualTo(newestFirst(posts));
            assertThat(anotherProcess().existing(keys(posts))).hasSize(20);
            assertThat(count("bob")).isEqualTo(20);
            assertThat(archive.size()).isEqualTo(20);
        }

        @Test
        @DisplayName("a post with another time replaces the earlier post of its key in all answers")
        void replaced() {
            archive.store(posts("bob", 3));
            Post moved = Post.of("bob", post("bob", 1).id(), EPOCH + 77);
            archive.store(List.of(moved));
            assertThat(all("bob")).containsExactly(moved, post("bob", 3), post("bob", 2));
            assertThat(archive.existing(List.of(moved.key()))).containsExactly(Map.entry(moved.key(), moved));
            assertThat(count("bob")).isEqualTo(3);
        }

        @Test
        @DisplayName("deleted posts are gone, unknown keys are ignored, and a deleted post can be stored again")
        void deleted() {
            archive.store(posts("bob", 3));
            List<PostKey> keys = List.of(post("bob", 2).key(), new PostKey("bob", "unseen"), new PostKey("amy", "p"));
            for (int i = 0; i < 2; i++) {
                archive.delete(keys);
                assertThat(all("bob")).containsExactly(post("bob", 3), post("bob", 1));
                assertThat(archive.existing(keys)).isEmpty();
                assertThat(count("bob")).isEqualTo(2);
                assertThat(archive.size()).isEqualTo(2);
            }
            archive.store(List.of(post("bob", 2)));
            assertThat(all("bob")).hasSize(3);
        }

        @Test
        @DisplayName("empty batches do nothing")
        void empty() {
            archive.store(List.of());
            archive.delete(List.of());
            assertThat(archive.size()).isZero();
            assertThat(archive.existing(List.of())).isEmpty();
            assertThat(archive.newest(List.of(), PositionRange.ALL, 1)).isEmpty();
            assertThat(page(Set.of(), PositionRange.ALL, Order.NEWEST_FIRST, 1)).isEmpty();
        }

        @Test
        @DisplayName("a large batch is stored and deleted as a whole")
        void large() {
            List<Post> many = posts("bob", 3_000);
            archive.store(many);
            assertThat(count("bob")).isEqualTo(3_000);
            archive.delete(keys(many.subList(0, 2_500)));
            assertThat(count("bob")).isEqualTo(500);
        }

        @Test
        @DisplayName("awkward ids of authors and posts are kept apart")
        void awkwardIds() {
            List<Post> posts = new ArrayList<>();
            for (String id : AWKWARD_IDS) {
                posts.add(Post.of(id, "p", EPOCH));
                posts.add(Post.of("bob", id, EPOCH));
            }
            archive.store(posts);
            assertThat(archive.existing(keys(posts)).values()).containsExactlyInAnyOrderElementsOf(posts);
            archive.delete(List.of(new PostKey("a", "p"), new PostKey("bob", "007")));
            assertThat(archive.size()).isEqualTo(posts.size() - 2);
            assertThat(archive.existing(List.of(new PostKey("A", "p"), new PostKey("bob", "7"))))
                    .hasSize(2);
        }
    }

    @Nested
    @DisplayName("Reading")
    class Reading {

        @ParameterizedTest
        @EnumSource(Order.class)
        @DisplayName("pages of many authors are merged by time, id and author, within the range")
        void pages(Order order) {
            archive.store(shuffled(ties(), 3));
            List<Post> sorted = order == Order.NEWEST_FIRST ? newestFirst(ties()) : oldestFirst(ties());
            Set<String> authors = ties().stream().map(Post::author).collect(toSet());
            for (int limit = 1; limit <= sorted.size() + 1; limit++) {
                assertThat(page(authors, PositionRange.ALL, order, limit))
                        .isEqualTo(sorted.subList(0, Math.min(limit, sorted.size())));
            }
            for (Post from : ties()) {
                for (Post below : ties()) {
                    PositionRange range = new PositionRange(Position.of(from), Position.of(below));
                    assertThat(page(authors, range, order, 100))
                            .as("%s", range)
                            .isEqualTo(sorted.stream().filter(range::contains).toList());
                }
            }
            assertThat(page(Set.of("amy", "nobody"), PositionRange.ALL, order, 100))
                    .isEqualTo(sorted.stream()
                            .filter(post -> post.author().equals("amy"))
                            .toList());
        }

        @Test
        @DisplayName("the newest posts of each author are in the order of the request, within the range")
        void newest() {
            archive.store(shuffled(posts("bob", 9), 1));
            archive.store(posts("amy", 2));
            PositionRange range = PositionRange.below(Position.of(post("bob", 6)));
            assertThat(archive.newest(List.of("bob", "nobody", "amy"), range, 3))
                    .containsExactly(
                            List.of(post("bob", 5), post("bob", 4), post("bob", 3)),
                            List.of(),
                            List.of(post("amy", 2), post("amy", 1)));
        }

        @Test
        @DisplayName("keys that occur twice in a request have one answer")
        void repeatedKeys() {
            archive.store(posts("bob", 1));
            PostKey key = post("bob", 1).key();
            assertThat(archive.existing(List.of(key, key))).containsOnlyKeys(key);
            archive.delete(List.of(key, key));
            assertThat(archive.size()).isZero();
        }
    }

    @Nested
    @Tag("concurrency")
    @DisplayName("Concurrency")
    class Concurrency {

        @Test
        @DisplayName("the same posts stored by several movers at the same time are there once")
        void movers() {
            List<Post> posts = posts("bob", 200);
            Race.run(threads(), thread -> {
                for (int from = 0; from < 200; from += 50) {
                    archive.store(shuffled(posts.subList(from, from + 50), thread));
                }
                return true;
            });
            assertThat(all("bob")).isEqualTo(newestFirst(posts));
            assertThat(archive.size()).isEqualTo(200);
        }
    }
}
