package io.feedkit.redis.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The register in Redis")
class RedisRegisterTest {

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
        RegisterSnapshot snapshot = RegisterSnapshot.of(register);
        assertThat(snapshot.pulled()).containsOnlyKeys(authors);
        assertThat(snapshot.retracting())
                .isEqualTo(Set.copyOf(posts.stream().map(Post::key).toList()));
        assertThat(RegisterSnapshot.of(truth.another().pulled())).isEqualTo(snapshot);
    }

    private static Post post(String author, int n) {
        return Post.of(author, "p" + n, n);
    }

    private Update since(Moment moment) {
        return register.update(Optional.of(moment), List.of(), Integer.MAX_VALUE);
    }

    private Moment now() {
        return register.update(Optional.empty(), List.of(), 0).moment();
    }

    @Test
    @DisplayName("tells what changed without reading the rest of a part")
    void changes() {
        register.put(TestOutbox.authorsIn(PARTITION, 2000).stream()
                .map(author -> post(author, 1))
                .toList());
        Moment before = now();
        register.put(List.of(post("bob", 1)));
        long scans = TestOutbox.calls("hscan");
        Update update = since(before);
        assertThat(update.scope()).isEqualTo(Scope.CHANGES);
        assertThat(update.entries()).containsOnlyKeys("bob");
        assertThat(TestOutbox.calls("hscan")).isEqualTo(scans);
        assertThat(since(update.moment()).entries()).isEmpty();
    }

    @Test
    @DisplayName("keeps a bounded number of changes of each part, and begins again when more were made")
    void manyChanges() {
        List<String> authors = TestOutbox.authorsIn(PARTITION, 100);
        register.put(List.of(post(authors.get(0), 0)));
        Moment before = now();
        for (int n = 1; n <= 4; n++) {
            int number = n;
            register.put(authors.stream().map(author -> post(author, number)).toList());
        }
        Update all = since(before);
        assertThat(all.scope()).isEqualTo(Scope.CHANGES);
        assertThat(all.entries()).containsOnlyKeys(authors);
        for (int n = 1; n <= 6; n++) {
            int number = n;
            register.put(authors.stream().map(author -> post(author, number)).toList());
        }
        assertThat(TestOutbox.commands().llen(truth.ofPartition("register", PARTITION)))
                .isLessThanOrEqualTo(640);
        assertThat(since(before).scope()).isEqualTo(Scope.WHOLE);
        assertThat(register.update(Optional.of(before), List.of("bob"), 99).scope())
                .isEqualTo(Scope.AUTHORS);
    }

    @Test
    @DisplayName("begins again when a replica took over that lacked the last changes, also after as many others")
    void failover() {
        int partition = TestOutbox.partition("bob");
        List<String> others = TestOutbox.authorsIn(partition, 2);
        register.put(List.of(post(others.get(0), 1)));
        register.put(List.of(post("bob", 1)));
        Moment before = now();
        TestOutbox.commands().rpop(truth.ofPartition("register", partition));
        TestOutbox.commands().hdel(truth.ofPartition("pulled", partition), "bob");
        register.put(List.of(post(others.get(1), 1)));
        Update update = since(before);
        assertThat(update.scope()).isEqualTo(Scope.WHOLE);
        assertThat(update.entries()).containsOnlyKeys(others);
    }

    @Test
    @DisplayName("asks for authors by their ids, also where these begin alike")
    void retractingOfAuthors() {
        for (String author : List.of("bob", "bob!", "bob2", "bo")) {
            truth.publish(List.of(post(author, 1)));
            truth.outbox().delete(List.of(post(author, 1).key()));
        }
        assertThat(register.update(Optional.empty(), List.of("bob"), 0).retracting())
                .containsExactly(post("bob", 1).key());
    }

    @Test
    @DisplayName("is empty again when it was lost")
    void lost() {
        register.put(List.of(Post.of("bob", "1", 1)));
        truth.publish(List.of(Post.of("amy", "1", 1)));
        truth.outbox().delete(List.of(new PostKey("amy", "1")));
        Moment before = now();
        List<String> keys = TestOutbox.commands().keys(truth.ofPartition("*", 0).replace("{t0}", "{t?}"));
        TestOutbox.commands().del(keys.toArray(String[]::new));
        Update update = since(before);
        assertThat(update.scope()).isEqualTo(Scope.WHOLE);
        assertThat(update.entries()).isEmpty();
        assertThat(update.retracting()).isEmpty();
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
        assertThatThrownBy(() -> RegisterSnapshot.of(register)).hasMessageContaining("version 1");
        assertThat(TestOutbox.commands().hget(key, "bob")).isEqualTo("something else");
    }
}
