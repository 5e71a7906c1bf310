package io.feedkit.survival.tiers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/** Damage to inboxes, register, graph, archive and marks, of the kinds that {@code verify} repairs. */
final class Damage {

    private static final String PULLED = "pulled";
    private static final String VAIN = "vain";
    private static final PostKey DELETED = new PostKey(Members.STAR, "deleted");
    private static final String TWICE = "redis.call('RPUSH', KEYS[1], redis.call('LINDEX', KEYS[1], -1)) return 1";
    private static final int BYTE = 0xFF;

    private final TierNodes tiers;
    private final RedisServer redis;
    private final Node node;
    private final TierTruth truth;
    private final Inbox inbox;

    Damage(TierNodes tiers, RedisServer redis, Node node, TierTruth truth) {
        this.tiers = tiers;
        this.redis = redis;
        this.node = node;
        this.truth = truth;
        this.inbox = TierCheck.inbox(tiers, node);
    }

    /**
     * Does the damage, each kind to another reader.
     *
     * @param readers readers whom nobody else makes follow or unfollow, after {@link #leaveUnregistered}
     */
    void make(List<String> readers) {
        registerInVain();
        removeNewest(readers.get(0));
        deliverGhost(readers.get(1));
        repeatEntry(readers.get(2));
        inbox.beginFollow(readers.get(3), List.of(Members.STAR));
        countWrong();
        archiveDeleted();
        long future = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        node.store().seenMarks().reset(List.of(new Seen("nobody", SeenPosts.upTo(new Position(future, "", "")))));
    }

    /** Publishes by an author who is not pushed, and takes the author out of the register. Nobody else publishes. */
    void leaveUnregistered(List<String> readers) {
        for (String reader : readers) {
            node.engine().follow(reader, PULLED);
            truth.followed(reader, PULLED);
        }
        node.engine().usePolicy(FanoutPolicy.pull());
        Post post = Post.of(PULLED, "unregistered", System.currentTimeMillis());
        truth.asks(post);
        truth.published(node.engine().publish(post));
        node.engine().usePolicy(FanoutPolicy.push());
        node.engine().delete(DELETED.author(), DELETED.id());
        FinalCheck.awaitRest(node.engine());
        Outbox outbox = node.store().outbox();
        Entry entry = requireNonNull(outbox.pulled()
                        .update(Optional.empty(), List.of(PULLED), 0)
                        .entries()
                        .get(PULLED))
                .orElseThrow();
        assertThat(outbox.pulled().remove(PULLED, entry.version())).isTrue();
    }

    private void registerInVain() {
        node.store().outbox().pulled().put(List.of(Post.of(VAIN, "none", System.currentTimeMillis())));
    }

    private void removeNewest(String reader) {
        inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false)))
                .get(0)
                .posts()
                .forEach(newest -> inbox.remove(List.of(new Removal(newest.key(), List.of(reader)))));
    }

    /** An entry whose post was lost. */
    private void deliverGhost(String reader) {
        Post ghost = Post.of(Members.STAR, "ghost", System.currentTimeMillis());
        inbox.deliver(List.of(new Delivery(ghost, List.of(reader), 0)));
    }

    private void repeatEntry(String reader) {
        CRC32 checksum = new CRC32();
        checksum.update(reader.getBytes(StandardCharsets.US_ASCII));
        String key = "%s:{%02x}:inbox:%s".formatted(tiers.prefix(), checksum.getValue() & BYTE, reader);
        redis.ask("EVAL", TWICE, "1", key);
    }

    /** As a mover that stood still between its list and its copy, for longer than a retraction. */
    private void archiveDeleted() {
        try (HikariDataSource pool = tiers.archivePool()) {
            long old =
                    System.currentTimeMillis() - TierNodes.AGE.multipliedBy(2).toMillis();
            JdbcPostArchive.of(pool).store(List.of(Post.of(DELETED.author(), DELETED.id(), old)));
        }
    }

    private void countWrong() {
        try (Connection connection = DriverManager.getConnection(tiers.posts());
                Statement statement = connection.createStatement()) {
            int changed = statement.executeUpdate(
                    "UPDATE feedkit_follow_count SET followers = followers + 7 WHERE user_id = '" + PULLED + "'");
            assertThat(changed).isEqualTo(1);
        } catch (SQLException e) {
            throw new IllegalStateException("a count cannot be changed", e);
        }
    }
}
