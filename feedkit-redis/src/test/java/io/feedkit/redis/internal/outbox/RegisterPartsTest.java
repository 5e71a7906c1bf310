package io.feedkit.redis.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Snapshot;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The parts of the register")
class RegisterPartsTest {

    private static final int PARTITION = 4;

    private final TestOutbox truth = new TestOutbox();
    private final PulledRegister register = truth.outbox().pulled();

    @AfterEach
    void close() {
        truth.close();
    }

    @Test
    @DisplayName("may be large: a part of thousands of authors and posts is read in pages, to the last")
    void large() {
        List<String> authors = TestOutbox.authorsIn(PARTITION, 2600);
        register.put(authors.stream().map(author -> Post.of(author, "1", 1)).toList());
        List<Post> posts = IntStream.range(0, 3100)
                .mapToObj(n -> Post.of(authors.get(0), "p" + n, n))
                .toList();
        truth.publish(posts);
        truth.outbox().delete(posts.stream().map(Post::key).toList());
        Snapshot snapshot = register.snapshot();
        assertThat(snapshot.pulled()).containsOnlyKeys(authors);
        assertThat(snapshot.retracting())
                .isEqualTo(Set.copyOf(posts.stream().map(Post::key).toList()));
        assertThat(snapshot.version()).isEqualTo(register.version());
        assertThat(truth.another().pulled().snapshot()).isEqualTo(snapshot);
    }

    @Test
    @DisplayName("are read again when they changed, whoever changed them, and not otherwise")
    void changed() {
        PulledRegister another = truth.another().pulled();
        register.put(List.of(Post.of("bob", "1", 1), Post.of("amy", "1", 1)));
        Snapshot first = another.snapshot();
        long scans = TestOutbox.calls("hscan");
        assertThat(another.snapshot()).isEqualTo(first);
        assertThat(TestOutbox.calls("hscan")).isEqualTo(scans);
        register.put(List.of(Post.of("bob", "2", 2)));
        assertThat(another.snapshot()).isEqualTo(register.snapshot()).isNotEqualTo(first);
        assertThat(TestOutbox.calls("hscan") - scans).isLessThanOrEqualTo(4);
        assertThat(register.remove("bob", first.pulled().get("bob").version())).isFalse();
        assertThat(register.remove("amy", first.pulled().get("amy").version())).isTrue();
        assertThat(another.snapshot().pulled()).containsOnlyKeys("bob");
    }

    @Test
    @DisplayName("are read again also when they changed, or changed again, after the last answer about the version")
    void likely() {
        PulledRegister another = truth.another().pulled();
        assertThat(another.version()).isZero();
        register.put(List.of(Post.of("bob", "1", 1)));
        long version = another.version();
        register.put(List.of(Post.of("bob", "2", 2)));
        register.put(List.of(Post.of("amy", "1", 1)));
        assertThat(TestOutbox.partition("amy")).isNotEqualTo(TestOutbox.partition("bob"));
        Snapshot snapshot = another.snapshot();
        assertThat(snapshot).isEqualTo(register.snapshot());
        assertThat(snapshot.version()).isEqualTo(another.version()).isNotEqualTo(version);
        long scans = TestOutbox.calls("hscan");
        assertThat(another.snapshot()).isEqualTo(snapshot);
        assertThat(TestOutbox.calls("hscan")).isEqualTo(scans);
    }

    @Test
    @DisplayName("are asked for their version before anybody waits for it")
    void askedAhead() {
        long asked = TestOutbox.calls("mget");
        LongSupplier version = register.versionLater().orElseThrow();
        await().until(() -> TestOutbox.calls("mget") > asked);
        register.put(List.of(Post.of("bob", "1", 1)));
        assertThat(version.getAsLong()).isZero();
        assertThat(register.version()).isNotZero();
    }

    @Test
    @DisplayName("are empty again when they were lost")
    void lost() {
        register.put(List.of(Post.of("bob", "1", 1)));
        truth.publish(List.of(Post.of("amy", "1", 1)));
        truth.outbox().delete(List.of(new PostKey("amy", "1")));
        assertThat(register.snapshot()).isNotEqualTo(Snapshot.EMPTY);
        List<String> keys = TestOutbox.commands().keys(truth.ofPartition("*", 0).replace("{t0}", "{t?}"));
        TestOutbox.commands().del(keys.toArray(String[]::new));
        assertThat(register.version()).isZero();
        assertThat(register.snapshot()).isEqualTo(Snapshot.EMPTY);
    }

    @Test
    @DisplayName("of another format are refused, and named")
    void foreign() {
        String key = truth.ofPartition("pulled", TestOutbox.partition("bob"));
        TestOutbox.commands().hset(key, "bob", "something else");
        assertThatThrownBy(() -> register.put(List.of(Post.of("bob", "1", 1))))
                .rootCause()
                .hasMessageContaining("FEEDKITFORMAT")
                .hasMessageContaining(key);
        assertThatThrownBy(register::snapshot).hasMessageContaining("version 1");
        assertThat(TestOutbox.commands().hget(key, "bob")).isEqualTo("something else");
    }
}
