package io.feedkit.testkit.model;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.oracle.OracleFeed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Restores the source of truth from a backup, as the guide to operations says: all engines are stopped meanwhile, and
 * one of them distrusts the inboxes afterwards. Does nothing if the outbox cannot be restored.
 */
final class Restoration {

    private record Backup(int changes, OracleFeed posts) {}

    /** The time after which all engines know a loss that one of them has declared. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private final Optional<RestorableOutbox> outbox;
    private final OracleFeed oracle;
    private final ExpectedPosts expected;
    private final Cluster cluster;
    private final SettableClock clock;
    private final ModelSettings settings;
    private @Nullable Backup latest;

    Restoration(
            Optional<RestorableOutbox> outbox,
            OracleFeed oracle,
            ExpectedPosts expected,
            Cluster cluster,
            SettableClock clock,
            ModelSettings settings) {
        this.outbox = outbox;
        this.oracle = oracle;
        this.expected = expected;
        this.cluster = cluster;
        this.clock = clock;
        this.settings = settings;
    }

    void backUp() {
        latest = outbox.map(restorable -> new Backup(restorable.backup(), oracle.backup()))
                .orElse(null);
    }

    /** Goes back to the latest backup. Then every reader reads a first page, some on this engine, some on the other. */
    void restore(int engine) {
        Backup backup = latest;
        if (backup == null) {
            return;
        }
        List<Post> before = oracle.posts();
        outbox.orElseThrow().restore(backup.changes());
        oracle.restore(backup.posts());
        for (int i = 0; i < Cluster.ENGINES; i++) {
            cluster.restart(i);
        }
        expected.restored(before);
        cluster.engine(engine).fanout().distrustInboxes();
        clock.advance(NOTICED);
        for (int i = 0; i < Users.ALL.size(); i++) {
            String reader = Users.ALL.get(i);
            visit(cluster.engine((engine + i) % Cluster.ENGINES), reader);
            expected.heal(reader);
        }
    }

    private void visit(FeedEngine engine, String reader) {
        if (settings.concurrentRebuilds() > 0) {
            engine.read(reader, PageRequest.first(1));
        } else {
            engine.refresh(reader);
        }
    }
}
