package io.feedkit.survival.tiers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.Published.Status;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Walks;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The database of the posts is restored from a backup an hour old, while Redis keeps the inboxes, and the archive keeps
 * what has moved since. Engines are stopped meanwhile.
 */
final class RestoreRun {

    /**
     * What the restore did.
     *
     * @param gone posts that were published since the backup, and are lost
     * @param kept posts that were published since the backup, and are in the archive
     * @param back posts that were deleted since the backup, and are there again
     * @param deletedForGood posts that were in the archive at the backup, and were deleted since
     * @param edges follows and unfollows since the backup, which are undone
     * @param wrongFeeds feeds that were wrong before the recovery
     */
    record Outcome(int gone, int kept, int back, int deletedForGood, int edges, int wrongFeeds) {}

    private static final int READERS = 12;

    /** Nobody makes these readers follow or unfollow: a changed graph alone would reveal that an inbox is wrong. */
    private static final int STILL = 6;

    private static final Duration AGE_OF_BACKUP = Duration.ofHours(1);
    private static final int LOAD_MILLIS = 3000;

    private final PostgresServer database;
    private final RedisServer redis;
    private final Recovery recovery;
    private final Random random;
    private final String posts;
    private final String archive;
    private final String run;
    private final int cap;
    private final Clock present = Clock.systemUTC();

    RestoreRun(PostgresServer database, RedisServer redis, Recovery recovery, long seed) {
        this.database = database;
        this.redis = redis;
        this.recovery = recovery;
        this.random = new Random(seed);
        this.posts = database.createDatabase();
        this.archive = database.createDatabase();
        this.cap = seed % 2 == 1 ? TierNodes.LARGE_CAP : TierNodes.SMALL_CAP;
        this.run = "restore-" + recovery + "-" + seed;
    }

    private TierNodes at(Clock clock) {
        return new TierNodes(posts, archive, () -> RedisServers.at(redis.uri()), run, cap, Optional.of(clock));
    }

    Outcome run() throws Exception {
        TierTruth atBackup = new TierTruth();
        Clock past = Clock.offset(present, AGE_OF_BACKUP.negated());
        at(present).createTables();
        Members members = load(past, atBackup, Optional.empty());
        copy(posts, posts + "_backup");
        TierTruth later = atBackup.copy(members);
        load(present, later, Optional.of(members));
        copy(posts + "_backup", posts);
        return recover(members, atBackup, later);
    }

    /** Publishes, deletes, follows and unfollows for some seconds, until all is done and due posts have moved. */
    private Members load(Clock clock, TierTruth truth, Optional<Members> joined) throws Exception {
        try (Node one = at(clock).mover("one").open();
                Node two = at(clock).mover("two").open()) {
            Members members = joined.isPresent() ? joined.get() : truth.join(READERS, one);
            List<String> some = members.readers().subList(STILL, READERS);
            try (Rivals rivals = Rivals.start(members, some, truth, List.of(one, two), at(clock), random)) {
                TimeUnit.MILLISECONDS.sleep(LOAD_MILLIS);
                rivals.finish();
            }
            TierCheck.awaitRest(one);
            one.engine().archivePosts();
            // A push that overlaps an unfollow may leave an entry, which pages hide.
            TierCheck.verify(one);
            new TierCheck(at(clock), members, truth).pass(List.of(one, two));
            return members;
        }
    }

    /** Replaces a database by a copy of another one. No engine is open. */
    private void copy(String from, String to) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + name(to) + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + name(to) + " TEMPLATE " + name(from));
        }
    }

    private static String name(String url) {
        return url.replaceAll(".*/|\\?[^_]*", "");
    }

    private Outcome recover(Members members, TierTruth atBackup, TierTruth later) {
        try (Node first = at(present).mover("first").open()) {
            // The archive boundary is restored, too. It must rise before inboxes are compared with the archive.
            first.engine().archivePosts();
            TierTruth restored = atBackup.copy(members);
            Outcome found = compare(first, members, restored, later);
            recovery.recover(first, redis);
            try (Node second = at(present).mover("second").open()) {
                TierCheck.awaitRest(second);
                // The second walk sees what the first pages have refreshed.
                members.readers().forEach(reader -> Walks.plain(second.engine(), reader));
                TierCheck.awaitRest(second);
                TierCheck check = new TierCheck(at(present), members, restored);
                check.feeds(first);
                check.feeds(second);
                first.engine().archivePosts();
                TierCheck.verify(first);
                check.pass(List.of(first, second));
            }
            return found;
        }
    }

    /** Finds which posts the two databases have, and changes the truth at the backup accordingly. */
    private Outcome compare(Node node, Members members, TierTruth restored, TierTruth later) {
        Set<PostKey> keys = new HashSet<>(later.tombstones());
        restored.all().forEach(post -> keys.add(post.key()));
        later.all().forEach(post -> keys.add(post.key()));
        Map<PostKey, Optional<Post>> rows =
                node.store().outbox().archiveSource().orElseThrow().known(keys);
        Map<PostKey, Post> archived = archived(keys);
        int gone = 0;
        int kept = 0;
        int back = 0;
        int deletedForGood = 0;
        for (PostKey key : keys) {
            boolean wasThere = restored.post(key).isPresent();
            boolean isThere = rows.containsKey(key) ? rows.get(key).isPresent() : archived.containsKey(key);
            boolean isDeleted = later.tombstones().contains(key);
            if (wasThere && !isThere) {
                assertThat(isDeleted).as("%s was deleted after the backup", key).isTrue();
                restored.lost(key);
                deletedForGood++;
            } else if (wasThere && isDeleted) {
                back++;
            } else if (!wasThere && isThere) {
                assertThat(isDeleted)
                        .as("%s was deleted, and is in the archive", key)
                        .isFalse();
                restored.published(new Published(Status.NEW, requireNonNull(archived.get(key))));
                kept++;
            } else if (!wasThere && !isDeleted) {
                gone++;
            }
        }
        int edges = 0;
        int wrong = 0;
        for (String reader : members.readers()) {
            edges += (int) members.authors().stream()
                    .filter(author -> restored.follows(reader, author) != later.follows(reader, author))
                    .count();
            wrong += Walks.plain(node.engine(), reader).equals(restored.feed(reader)) ? 0 : 1;
        }
        return new Outcome(gone, kept, back, deletedForGood, edges, wrong);
    }

    private Map<PostKey, Post> archived(Set<PostKey> keys) {
        try (HikariDataSource pool = at(present).archivePool()) {
            return JdbcPostArchive.of(pool).existing(keys);
        }
    }
}
