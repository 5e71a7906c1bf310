package io.feedkit.testkit;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.EPOCH;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WarmPosts;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.outbox.OutboxDriver;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link ArchiveSource} as tests, for an outbox that takes part in transactions. A backend binds it as
 * shown for {@link InboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class ArchiveSourceCompatibilityKit extends CompatibilityKit {

    private static final PositionRange RANGE = PositionRange.ALL;
    private static final int MOST_TRIES = 100;

    private OutboxDriver outbox;
    private ArchiveSource source;

    /** For leaf tests. */
    protected ArchiveSourceCompatibilityKit() {}

    /**
     * Returns the outbox under test.
     *
     * @return the outbox, the same within a test; its {@link TransactionalOutbox#archiveSource} is present
     */
    protected abstract TransactionalOutbox outbox();

    /**
     * Begins a transaction of the host.
     *
     * @return the open transaction
     */
    protected abstract TransactionalOutboxCompatibilityKit.HostTransaction begin();

    @BeforeEach
    void openSource() {
        outbox = new OutboxDriver(outbox());
        source = outbox().archiveSource().orElseThrow();
    }

    @Test
    @DisplayName("leases the mover's work to one holder at a time, until the lease ends")
    void moverLease() {
        long time = shortTime().toMillis();
        assertThat(source.leaseMover("one", time)).isTrue();
        assertThat(source.leaseMover("two", time)).isFalse();
        assertThat(source.leaseMover("one", 2 * time)).isTrue();
        pass(shortTime().plusMillis(1));
        assertThat(source.leaseMover("two", time)).isFalse();
        pass(shortTime());
        assertThat(source.leaseMover("two", time)).isTrue();
        assertThat(source.leaseMover("one", time)).isFalse();
        assertThat(source.leaseMover("two", 0)).isTrue();
        assertThat(source.leaseMover("one", time)).isTrue();
        assertThat(source.leaseMover("two", 0)).isFalse();
        assertThat(source.leaseMover("two", time)).isFalse();
    }

    @Test
    @Tag("concurrency")
    @DisplayName("leases the mover's work to one of many that ask at once")
    void moverLeaseRace() {
        for (int round = 0; round < 20; round++) {
            assertThat(Race.run(
                            threads(),
                            thread -> source.leaseMover(
                                    "mover-" + thread, shortTime().toMillis())))
                    .containsOnlyOnce(true);
            pass(shortTime().plusMillis(1));
        }
    }

    /** Publishes posts, and finishes their tasks. */
    private void settled(List<Post> posts) {
        outbox.publish(posts);
        outbox.settle();
        pass(shortTime());
    }

    private long mark() {
        return outbox().settledMark();
    }

    private List<Post> movable(List<Post> posts) {
        return source.movable(posts, mark());
    }

    private List<Post> remove(List<Post> posts) {
        return source.remove(posts, mark());
    }

    @Nested
    @DisplayName("Boundary")
    class Boundary {

        @Test
        @DisplayName("it never decreases, and every view sees it")
        void rises() {
            long first = source.boundary();
            assertThat(source.raiseBoundary(first + 50)).isEqualTo(first + 50);
            assertThat(source.raiseBoundary(first + 20)).isEqualTo(first + 50);
            assertThat(source.raiseBoundary(first + 1_000_000)).isEqualTo(first + 1_000_000);
            assertThat(outbox().archiveSource().orElseThrow().boundary()).isEqualTo(first + 1_000_000);
        }

        @Test
        @Tag("concurrency")
        @DisplayName("of simultaneous calls the highest value stays")
        void race() {
            for (int round = 0; round < rounds(); round++) {
                long base = source.boundary();
                Race.run(threads(), thread -> {
                    for (int i = 0; i < 5; i++) {
                        long own = base + 10L * i + thread;
                        assertThat(source.raiseBoundary(own)).isGreaterThanOrEqualTo(own);
                    }
                    return true;
                });
                assertThat(source.boundary()).isEqualTo(base + 40 + threads() - 1);
            }
        }
    }

    @Nested
    @DisplayName("Listing")
    class Listing {

        @Test
        @DisplayName("authors are listed by their ids, page by page, each once")
        void authors() {
            AWKWARD_IDS.forEach(author -> outbox.publish(Post.of(author, "p1", EPOCH), Post.of(author, "p2", EPOCH)));
            List<String> sorted = AWKWARD_IDS.stream().sorted().toList();
            for (int size = 1; size <= sorted.size() + 1; size += 7) {
                String after = "";
                int found = 0;
                for (List<String> page = source.authors(after, size);
                        !page.isEmpty();
                        page = source.authors(after, size)) {
                    assertThat(page).isEqualTo(sorted.subList(found, Math.min(sorted.size(), found + size)));
                    found += page.size();
                    after = page.get(page.size() - 1);
                }
                assertThat(found).isEqualTo(sorted.size());
            }
        }

        @Test
        @DisplayName("pages have the rows that were published and not deleted")
        void pages() {
            outbox.publish(posts("bob", 5));
            outbox.delete(post("bob", 3).key());
            PageQuery query = new PageQuery(Set.of("bob"), RANGE, Order.OLDEST_FIRST, 3);
            assertThat(source.page(query)).containsExactly(post("bob", 1), post("bob", 2), post("bob", 4));
        }

        @Test
        @DisplayName("known keys are those with a row: a post or a tombstone")
        void known() {
            outbox.publish(posts("bob", 2));
            outbox.delete(post("bob", 1).key());
            PostKey unseen = new PostKey("bob", "unseen");
            outbox.delete(unseen);
            assertThat(source.known(List.of(
                            post("bob", 1).key(),
                            post("bob", 2).key(),
                            unseen,
                            new PostKey("bob", "never"),
                            post("bob", 2).key())))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            post("bob", 1).key(),
                            Optional.empty(),
                            post("bob", 2).key(),
                            Optional.of(post("bob", 2)),
                            unseen,
                            Optional.empty()));
            assertThat(source.known(List.of())).isEmpty();
        }
    }

    @Nested
    @DisplayName("Moving")
    class Moving {

        @Test
        @DisplayName("settled posts may move, and are removed without a trace")
        void removed() {
            List<Post> posts = posts("bob", 4);
            settled(posts);
            List<Post> two = List.of(post("bob", 3), post("bob", 1));
            assertThat(movable(two)).isEqualTo(two);
            assertThat(remove(two)).containsExactlyInAnyOrderElementsOf(two);
            assertThat(outbox.posts("bob")).containsExactly(post("bob", 4), post("bob", 2));
            assertThat(source.known(two.stream().map(Post::key).toList())).isEmpty();
            assertThat(RegisterSnapshot.of(outbox.register()).retracting()).isEmpty();
            assertThat(outbox.nothingDue()).isTrue();
            assertThat(remove(two)).isEmpty();
            assertThat(outbox.append(post("bob", 1)).status()).isEqualTo(Status.NEW);
        }

        @Test
        @DisplayName("a post stays while its task is unfinished, however its post is dated")
        void unsettled() {
            outbox.publish(posts("bob", 1));
            pass(shortTime());
            assertThat(movable(posts("bob", 1))).isEmpty();
            assertThat(remove(posts("bob", 1))).isEmpty();
            assertThat(outbox.posts("bob")).hasSize(1);
            outbox.settle();
            pass(shortTime());
            assertThat(remove(posts("bob", 1))).hasSize(1);
        }

        @Test
        @DisplayName("posts that were appended at the mark or later stay")
        void appendedLater() {
            settled(posts("bob", 1));
            long mark = mark();
            pass(shortTime());
            settled(posts("amy", 1));
            assertThat(source.movable(posts("amy", 1), mark)).isEmpty();
            assertThat(source.remove(posts("amy", 1), mark)).isEmpty();
            assertThat(source.remove(posts("bob", 1), mark)).hasSize(1);
        }

        @Test
        @DisplayName("posts in the span of their author's entry in the pulled register stay, the others do not")
        void registered() {
            settled(posts("bob", 6));
            settled(posts("amy", 6));
            outbox.register().put(List.of(post("bob", 2), post("bob", 4)));
            List<Post> outside = List.of(post("bob", 1), post("bob", 5), post("bob", 6));
            assertThat(movable(posts("bob", 6))).isEqualTo(outside);
            assertThat(movable(posts("amy", 6))).hasSize(6);
            assertThat(remove(posts("bob", 6))).containsExactlyInAnyOrderElementsOf(outside);
            assertThat(outbox.posts("bob")).containsExactly(post("bob", 4), post("bob", 3), post("bob", 2));
            assertThat(outbox.register().remove("bob", outbox.entry("bob").version()))
                    .isTrue();
            assertThat(remove(posts("bob", 6))).hasSize(3);
        }

        @Test
        @DisplayName("deleted posts, unknown posts and posts with another time are not removed, and tombstones stay")
        void changed() {
            settled(posts("bob", 3));
            outbox.delete(post("bob", 1).key());
            outbox.settle();
            pass(shortTime());
            List<Post> wrong = List.of(
                    post("bob", 1), Post.of("bob", post("bob", 2).id(), EPOCH + 99), post("bob", 7), post("amy", 1));
            assertThat(movable(wrong)).isEmpty();
            assertThat(remove(wrong)).isEmpty();
            assertThat(outbox.posts("bob")).containsExactly(post("bob", 3), post("bob", 2));
            assertThat(outbox.append(post("bob", 1)).status()).isEqualTo(Status.DELETED);
        }

        @Test
        @DisplayName("a post is removed by its key, whatever awkward ids others have")
        void awkwardIds() {
            settled(AWKWARD_IDS.stream().map(id -> Post.of("bob", id, EPOCH)).toList());
            List<Post> some = List.of(Post.of("bob", "007", EPOCH), Post.of("bob", "a", EPOCH));
            assertThat(remove(some)).containsExactlyInAnyOrderElementsOf(some);
            assertThat(outbox.posts("bob")).hasSize(AWKWARD_IDS.size() - 2).doesNotContainAnyElementsOf(some);
        }

        @Test
        @Tag("concurrency")
        @DisplayName("of several movers each row is removed by one, and a delete finds the post or not")
        void race() {
            for (int round = 0; round < rounds(); round++) {
                String author = "author" + round;
                List<Post> posts = posts(author, 20);
                settled(posts);
                long mark = mark();
                PostKey deleted = post(author, 7).key();
                List<Integer> removed = Race.run(threads(), thread -> {
                    if (thread == 0) {
                        boolean found = outbox().delete(List.of(deleted)).get(0);
                        return found ? 1 : 0;
                    }
                    return source.remove(posts, mark).size();
                });
                assertThat(removed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
                assertThat(outbox.posts(author)).isEmpty();
                assertThat(source.known(List.of(deleted))).containsEntry(deleted, Optional.empty());
            }
        }

        @Test
        @Tag("concurrency")
        @DisplayName("a post that is published again beside a mover is the same or new, and never counts as deleted")
        void publishedAgain() {
            for (int round = 0; round < rounds(); round++) {
                List<Post> posts = posts("author" + round, 30);
                settled(posts);
                long mark = mark();
                List<Publication> again = posts.stream()
                        .map(post ->
                                new Publication(Post.of(post.author(), post.id(), EPOCH + 1_000_000), FanoutMode.PUSH))
                        .toList();
                List<Appended> answers = Race.run(threads(), thread -> switch (thread % 3) {
                            case 0 -> {
                                source.remove(posts, mark);
                                yield List.<Appended>of();
                            }
                            case 1 -> appended(again);
                            default ->
                                again.stream()
                                        .flatMap(each -> appended(List.of(each)).stream())
                                        .toList();
                        })
                        .stream()
                        .flatMap(List::stream)
                        .toList();
                assertThat(answers).extracting(Appended::status).isSubsetOf(Status.NEW, Status.SAME);
                assertThat(outbox.posts(posts.get(0).author()))
                        .containsAll(answers.stream()
                                .filter(answer -> answer.status() == Status.NEW)
                                .map(Appended::post)
                                .toList());
            }
        }

        /** An outbox may give up when a row comes and goes, if it says so and has written nothing. */
        private List<Appended> appended(List<Publication> publications) {
            for (int tries = 1; true; tries++) {
                try {
                    return outbox().append(publications);
                } catch (StoreUnavailableException e) {
                    if (tries == MOST_TRIES) {
                        throw e;
                    }
                }
            }
        }
    }

    @Nested
    @DisplayName("Deleting archived posts")
    class Deleting {

        private final Post archived = post("bob", 1);
        private final Post stored = post("bob", 2);
        private final PostKey unseen = new PostKey("bob", "unseen");

        @Test
        @DisplayName("they are deleted as if their rows were there: answer, tombstone, task and register")
        void deleted() {
            settled(List.of(stored));
            assertThat(source.delete(List.of(unseen, archived.key(), stored.key()), List.of(archived, stored)))
                    .containsExactly(false, true, true);
            assertThat(outbox.claimTasks())
                    .extracting(Task::kind, Task::newest)
                    .containsExactlyInAnyOrder(
                            org.assertj.core.groups.Tuple.tuple(Kind.RETRACT, Position.of(archived)),
                            org.assertj.core.groups.Tuple.tuple(Kind.RETRACT, Position.of(stored)),
                            org.assertj.core.groups.Tuple.tuple(Kind.RETRACT, Position.ofUnknownTime(unseen)));
            assertThat(RegisterSnapshot.of(outbox.register()).retracting())
                    .containsExactlyInAnyOrder(unseen, archived.key(), stored.key());
            assertThat(outbox.posts("bob")).isEmpty();
            assertThat(source.known(List.of(archived.key()))).containsEntry(archived.key(), Optional.empty());
            assertThat(source.delete(List.of(archived.key()), List.of(archived)))
                    .containsExactly(false);
            assertThat(outbox.append(archived).status()).isEqualTo(Status.DELETED);
        }

        @Test
        @DisplayName("the event of the delete is recorded")
        void event() {
            EventRecording recording = outbox().recordingEvents().orElseThrow();
            assertThat(recording
                            .outbox()
                            .archiveSource()
                            .orElseThrow()
                            .delete(List.of(archived.key(), unseen), List.of(archived)))
                    .containsExactly(true, false);
            assertThat(recording.log().claim(10, shortTime().toMillis()))
                    .extracting(claim -> claim.event().post())
                    .containsExactly(archived);
        }

        @Test
        @DisplayName("in a transaction it takes effect with the commit, and never with a rollback")
        void transaction() {
            settled(List.of(stored));
            for (boolean commit : List.of(false, true)) {
                TransactionalOutboxCompatibilityKit.HostTransaction open = begin();
                WarmPosts joined = source.joining(open.handle());
                assertThat(joined.known(List.of(stored.key(), archived.key())))
                        .containsExactly(Map.entry(stored.key(), Optional.of(stored)));
                assertThat(joined.boundary()).isEqualTo(source.boundary());
                assertThat(joined.delete(List.of(archived.key(), stored.key()), List.of(archived)))
                        .containsExactly(true, true);
                assertThat(joined.known(List.of(stored.key(), archived.key())))
                        .containsOnly(
                                Map.entry(stored.key(), Optional.empty()), Map.entry(archived.key(), Optional.empty()));
                assertThat(joined.delete(List.of(archived.key()), List.of(archived)))
                        .containsExactly(false);
                (commit ? open.commit() : open.rollback()).run();
                assertThat(outbox.posts("bob")).hasSize(commit ? 0 : 1);
                assertThat(source.known(List.of(archived.key()))).hasSize(commit ? 1 : 0);
            }
            assertThat(outbox.claimTasks())
                    .extracting(Task::newest)
                    .containsExactlyInAnyOrder(Position.of(archived), Position.of(stored));
        }

        @Test
        @Tag("concurrency")
        @DisplayName("a post is deleted once, by several deletes beside a mover")
        void race() {
            for (int round = 0; round < rounds(); round++) {
                Post post = post("author" + round, 1);
                settled(List.of(post));
                long mark = mark();
                List<Boolean> found = Race.run(
                        threads(),
                        thread -> thread == 0
                                ? source.remove(List.of(post), mark).isEmpty()
                                : source.delete(List.of(post.key()), List.of(post))
                                        .get(0));
                assertThat(Collections.frequency(found.subList(1, found.size()), true))
                        .isEqualTo(1);
                assertThat(source.known(List.of(post.key()))).containsEntry(post.key(), Optional.empty());
            }
        }

        @Test
        @DisplayName("a post that is registered again as new has its own tombstone afterwards")
        void publishedAgain() {
            settled(List.of(archived));
            remove(List.of(archived));
            Post again = Post.of("bob", archived.id(), EPOCH + 500);
            assertThat(outbox.append(again, FanoutMode.PUSH).status()).isEqualTo(Status.NEW);
            assertThat(source.delete(List.of(again.key()), List.of(archived))).containsExactly(true);
            assertThat(newestFirst(outbox.posts("bob"))).isEmpty();
        }
    }
}
