package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.commands;
import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An inbox of the usual size")
class LargeInboxTest {

    private static final int CAP = 1000;
    private static final long NOW = 1_760_000_000_000L;

    private final TestInboxes inboxes = new TestInboxes();
    private final Inbox inbox = inboxes.inbox(new InboxLimits(CAP, 60_000));

    @AfterEach
    void close() {
        inboxes.close();
    }

    /** A post with an id of 19 digits, by an author of 10 digits. */
    private static Post numbered(long n) {
        return Post.of(Long.toString(3_000_000_000L + n % 997), Long.toString(1_900_000_000_000_000_000L + n), NOW + n);
    }

    private void deliverAll(List<Post> posts) {
        inbox.deliver(posts.stream()
                .map(post -> new Delivery(post, List.of("ann"), 0))
                .toList());
    }

    @Test
    @DisplayName("is not looked for one by one among very many who have none, until some have one again")
    void counted() {
        List<String> readers = IntStream.range(0, 250).mapToObj(i -> "r" + i).toList();
        List<Outcome> none = Collections.nCopies(250, Outcome.NOT_LIVE);
        assertThat(inbox.deliver(List.of(new Delivery(numbered(1), readers, 0))))
                .containsExactly(none);
        long scripts = TestOutbox.calls("evalsha");
        long counts = TestOutbox.calls("exists");
        assertThat(inbox.deliver(List.of(new Delivery(numbered(2), readers, 0))))
                .containsExactly(none);
        assertThat(TestOutbox.calls("evalsha")).isEqualTo(scripts);
        assertThat(TestOutbox.calls("exists") - counts).isEqualTo(10);

        readers.forEach(reader -> live(inbox, reader));
        List<Outcome> all = Collections.nCopies(250, Outcome.ADDED);
        assertThat(inbox.deliver(List.of(new Delivery(numbered(3), readers, 0))))
                .containsExactly(all);
        long countedAgain = TestOutbox.calls("exists");
        assertThat(inbox.deliver(List.of(new Delivery(numbered(4), readers, Long.MAX_VALUE))))
                .containsExactly(none);
        assertThat(inbox.deliver(List.of(new Delivery(numbered(4), readers, 0))))
                .containsExactly(all);
        assertThat(TestOutbox.calls("exists")).isEqualTo(countedAgain);
    }

    @ParameterizedTest
    @CsvSource({"1000, 3", "10000, 12", "100000, 125", "1000000, 250"})
    @DisplayName("is delivered to, and retracted from, with the fewer others in one step the larger they"
            + " may be, and dropped with as many as ever")
    void fewerLargeOnes(int cap, int steps) {
        Inbox large = inboxes.inbox(new InboxLimits(cap, 60_000));
        List<String> readers = IntStream.range(0, 250).mapToObj(i -> "r" + i).toList();
        readers.forEach(reader -> live(large, reader));
        long before = TestOutbox.calls("evalsha");
        assertThat(large.deliver(List.of(new Delivery(numbered(1), readers, 0))))
                .containsExactly(Collections.nCopies(250, Outcome.ADDED));
        assertThat(TestOutbox.calls("evalsha") - before).isEqualTo(steps);
        large.retract(List.of(new Retraction(numbered(1), readers)));
        assertThat(TestOutbox.calls("evalsha") - before).isEqualTo(2L * steps);
        large.drop(readers);
        assertThat(TestOutbox.calls("evalsha") - before).isEqualTo(2L * steps + 3);
    }

    @Test
    @DisplayName("keeps its newest in order, whatever the order of arrival, through retractions and a purge")
    void anyOrder() {
        Random random = new Random(7);
        List<Post> posts = new ArrayList<>(IntStream.range(0, 1500)
                .mapToObj(i -> Post.of("author-" + i % 7, "id" + random.nextInt(), NOW + random.nextInt(400)))
                .distinct()
                .toList());
        live(inbox, "ann");
        deliverAll(posts);
        deliverAll(posts);
        posts.sort(Collections.reverseOrder(Position::compare));
        Position floor = slice(inbox, "ann", false).floor();
        List<Post> newest = posts.subList(0, CAP);
        assertThat(slice(inbox, "ann", false).posts()).isEqualTo(newest);
        assertThat(floor.compareOf(newest.get(CAP - 1))).isLessThanOrEqualTo(0);

        List<Post> left = new ArrayList<>(newest);
        List<Post> gone = newest.subList(100, 130);
        inbox.retract(gone.stream()
                .map(post -> new Retraction(post, List.of("ann", "nobody")))
                .toList());
        left.removeAll(gone);
        long epoch = slice(inbox, "ann", false).epoch();
        assertThat(inbox.purge("ann", List.of("author-3"), epoch)).isTrue();
        left.removeIf(post -> post.author().equals("author-3"));
        assertThat(slice(inbox, "ann", false).posts().subList(0, left.size())).isEqualTo(left);
        assertThat(slice(inbox, "ann", false).posts())
                .noneMatch(post -> post.author().equals("author-3"));
    }

    @Test
    @DisplayName("takes at most 28 bytes an entry, all told, for ids of 19 digits by authors of 10")
    void memory() {
        live(inbox, "ann");
        LongStream.range(0, 5000).mapToObj(LargeInboxTest::numbered).forEach(post -> deliver(inbox, "ann", post));
        long entries = commands().llen(inboxes.inboxKey("ann")) - 1;
        long bytes = commands().memoryUsage(inboxes.inboxKey("ann"));
        double each = (double) bytes / entries;
        System.out.printf("%d entries in %d bytes: %.1f bytes an entry%n", entries, bytes, each);
        assertThat(entries).isBetween((long) CAP, CAP + CAP / 8L);
        assertThat(each).isLessThanOrEqualTo(28);
    }

    @Test
    @DisplayName("is delivered to with many others in one call")
    void manyReaders() {
        List<String> readers =
                IntStream.range(0, 250).mapToObj(i -> "reader-" + i).toList();
        readers.stream().filter(reader -> !reader.endsWith("7")).forEach(reader -> live(inbox, reader));
        List<Outcome> outcomes =
                inbox.deliver(List.of(new Delivery(numbered(1), readers, 0))).get(0);
        for (int i = 0; i < readers.size(); i++) {
            assertThat(outcomes.get(i)).isEqualTo(i % 10 == 7 ? Outcome.NOT_LIVE : Outcome.ADDED);
        }
    }
}
