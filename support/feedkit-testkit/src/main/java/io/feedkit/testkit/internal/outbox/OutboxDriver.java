package io.feedkit.testkit.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One post at a time on top of an outbox's batches, and its log and register, so that tests read as sentences. */
public final class OutboxDriver extends OutboxWriterDriver {

    /** A lease that no test outlasts. */
    public static final long LEASE = Duration.ofHours(1).toMillis();

    public static final long RETAIN = Duration.ofHours(1).toMillis();

    private static final int MANY = 10_000;

    private final Outbox outbox;

    public OutboxDriver(Outbox outbox) {
        super(outbox);
        this.outbox = outbox;
    }

    public Outbox outbox() {
        return outbox;
    }

    public FanoutLog log() {
        return outbox.fanout();
    }

    public PulledRegister register() {
        return outbox.pulled();
    }

    public boolean exists(PostKey key) {
        return outbox.existing(List.of(key)).containsKey(key);
    }

    /** How many posts an author has. */
    public int count(String author) {
        return outbox.count(List.of(new CountQuery(Set.of(author), PositionRange.ALL, Integer.MAX_VALUE)))
                .get(0)
                .above();
    }

    /** The time of an author's latest append. */
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
