package io.feedkit.testkit.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls of an outbox for one post at a time, so that tests read as sentences. */
public record OutboxDriver(Outbox outbox) {

    /** A lease that no test outlasts. */
    public static final long LEASE = Duration.ofHours(1).toMillis();

    public static final long RETAIN = Duration.ofHours(1).toMillis();

    private static final int MANY = 10_000;

    public FanoutLog log() {
        return outbox.fanout();
    }

    public PulledRegister register() {
        return outbox.pulled();
    }

    public Appended append(Post post, FanoutMode mode) {
        List<Appended> answers = outbox.append(List.of(new Publication(post, mode)));
        assertThat(answers).as("answers to one publication").hasSize(1);
        return answers.get(0);
    }

    public Appended append(Post post) {
        return append(post, FanoutMode.PUSH);
    }

    /** Appends posts never published before, with tasks to push them. */
    public void publish(Collection<Post> posts) {
        List<Appended> answers = outbox.append(posts.stream()
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList());
        assertThat(answers).as("answers to publications").hasSameSizeAs(posts);
        assertThat(answers).extracting(Appended::status).containsOnly(Appended.Status.NEW);
    }

    public void publish(Post... posts) {
        publish(List.of(posts));
    }

    public boolean delete(PostKey key) {
        List<Boolean> answers = outbox.delete(List.of(key));
        assertThat(answers).as("answers to one deletion").hasSize(1);
        return answers.get(0);
    }

    public boolean exists(PostKey key) {
        return outbox.existing(List.of(key)).contains(key);
    }

    /** How many posts an author has; {@code 0} if the outbox leaves the author out. */
    public long count(String author) {
        return outbox.counts(List.of(author)).getOrDefault(author, 0L);
    }

    /** When an author's latest append was made. */
    public long lastAppended(String author) {
        return present(
                "last append of " + author, outbox.lastAppended(List.of(author)).get(author));
    }

    /** An author's entry in the register. */
    public Entry entry(String author) {
        return present(
                "entry of " + author, RegisterSnapshot.of(register()).pulled().get(author));
    }

    private static <T> T present(String what, @Nullable T value) {
        if (value == null) {
            throw new AssertionError("there is no " + what);
        }
        return value;
    }

    /** All of an author's posts, newest first. */
    public List<Post> posts(String author) {
        return outbox.newest(List.of(author), PositionRange.ALL, MANY).get(0);
    }

    public List<Post> page(Set<String> authors, PositionRange range, Order order, int limit) {
        return outbox.page(new PageQuery(authors, range, order, limit));
    }

    /** Leases all tasks that are due. */
    public List<Claim> claimAll() {
        return log().claim(MANY, LEASE);
    }

    public List<Task> claimTasks() {
        return claimAll().stream().map(Claim::task).toList();
    }

    /** Leases the one task that is due. */
    public Claim claim() {
        return claim(LEASE);
    }

    public Claim claim(long leaseMillis) {
        List<Claim> claims = log().claim(1, leaseMillis);
        assertThat(claims).as("tasks due").hasSize(1);
        return claims.get(0);
    }

    public boolean nothingDue() {
        return log().claim(1, LEASE).isEmpty();
    }

    public void finish(Claim claim) {
        assertThat(log().finish(List.of(claim), RETAIN)).as("answers to finish").containsExactly(true);
    }

    /** Finishes all tasks that are due. */
    public void settle() {
        claimAll().forEach(this::finish);
    }
}
