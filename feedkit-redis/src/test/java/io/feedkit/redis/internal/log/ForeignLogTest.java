package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.PositionRange;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A log of another format")
class ForeignLogTest {

    private static final Post POST = Post.of("bob", "1", 1);
    private static final int PARTITION = Keys.partition("bob");

    private final TestOutbox truth = new TestOutbox();
    private final String log = truth.ofPartition("log", PARTITION);

    @AfterEach
    void close() {
        truth.close();
    }

    private void assertRefused() {
        assertThatThrownBy(() -> truth.publish(List.of(POST)))
                .isInstanceOf(OutcomeUnknownException.class)
                .rootCause()
                .hasMessageContaining("FEEDKITFORMAT")
                .hasMessageContaining(log);
        assertThatThrownBy(() -> truth.outbox().delete(List.of(new PostKey("bob", "1"))))
                .rootCause()
                .hasMessageContaining(log);
        assertThatThrownBy(() -> truth.outbox().fanout().claim(1, 1))
                .isInstanceOf(StoreUnavailableException.class)
                .rootCause()
                .hasMessageContaining(log);
        assertThat(TestOutbox.commands().exists(truth.ofAuthor("posts", "bob"))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0002abcdefghijklmn", "\u0001abc", "something else", ""})
    @DisplayName("is refused, named and left alone")
    void otherHeader(String header) {
        TestOutbox.commands().set(log, header);
        assertRefused();
        assertThat(TestOutbox.commands().get(log)).isEqualTo(header);
    }

    @Test
    @DisplayName("is refused where the header is of another type")
    void otherType() {
        TestOutbox.commands().sadd(log, "member");
        assertRefused();
        assertThat(TestOutbox.commands().smembers(log)).containsExactly("member");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fresh", "tasks", "queue", "open", "catchups", "held", "lent"})
    @DisplayName("is refused where there is some of a log, but no header")
    void noHeader(String kind) {
        String key = truth.ofPartition(kind, PARTITION);
        TestOutbox.commands().set(key, "foreign");
        assertRefused();
        assertThat(TestOutbox.commands().get(key)).isEqualTo("foreign");
    }

    @Test
    @DisplayName("or one that is damaged does not keep a worker busy for good")
    void damaged() {
        truth.publish(List.of(POST));
        String fresh = truth.ofPartition("fresh", PARTITION);
        TestOutbox.commands().rpush(fresh, "\u0000".repeat(14) + "0".repeat(14) + "\u0001P");
        TestOutbox.commands().lpop(fresh);
        assertThatThrownBy(() -> truth.outbox().fanout().claim(1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0".repeat(14));
    }

    @Test
    @DisplayName("or posts of another, among those of others: they are named, and whatever was published has its task")
    void foreignPosts() {
        List<String> authors = TestOutbox.authorsIn(PARTITION, 3);
        String foreign = truth.ofAuthor("posts", authors.get(1));
        TestOutbox.commands().set(foreign, "something else");
        List<Post> posts =
                authors.stream().map(author -> Post.of(author, "1", 1)).toList();
        assertThatThrownBy(() -> truth.publish(posts))
                .isInstanceOf(OutcomeUnknownException.class)
                .rootCause()
                .hasMessageContaining(foreign);
        assertThat(truth.outbox().newest(List.of(authors.get(0), authors.get(2)), PositionRange.ALL, 1))
                .containsExactly(List.of(posts.get(0)), List.of());
        assertThat(truth.outbox().fanout().claim(5, 1000))
                .extracting(claim -> claim.task().post())
                .containsExactly(posts.get(0));
        assertThat(TestOutbox.commands().get(foreign)).isEqualTo("something else");
    }

    @Test
    @DisplayName("in one partition hinders nobody in the others")
    void others() {
        TestOutbox.commands().set(log, "something else");
        String other =
                TestOutbox.authorsIn((PARTITION + 1) % Keys.PARTITIONS, 1).get(0);
        truth.publish(List.of(Post.of(other, "1", 1)));
        assertThat(truth.outbox().newest(List.of(other), PositionRange.ALL, 2))
                .containsExactly(List.of(Post.of(other, "1", 1)));
    }
}
