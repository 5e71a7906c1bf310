package io.feedkit.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.internal.graph.JdbcFollowGraph;
import io.feedkit.jdbc.internal.host.HostFollowGraph;
import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.inbox.ExpiredInboxCleanup;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.notification.NotificationChannel;
import io.feedkit.jdbc.internal.notification.NotificationListener;
import io.feedkit.jdbc.internal.notification.NotificationUse;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.jdbc.internal.presence.JdbcPresenceStore;
import io.feedkit.jdbc.internal.rank.JdbcRankSnapshots;
import io.feedkit.jdbc.internal.seen.JdbcSeenMarks;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.jdbc.internal.store.DurabilityCheck;
import io.feedkit.jdbc.internal.store.Maintenance;
import io.feedkit.jdbc.internal.store.StoreChecks;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The parts of a {@link JdbcFeedStore}. Its factory methods check the data source, and create the parts. */
record StoreAssembly(
        Database database,
        TransactionalOutbox outbox,
        FollowGraph graph,
        SeenMarks seenMarks,
        RankSnapshots rankSnapshots,
        PresenceStore presence,
        Maintenance maintenance,
        Optional<NotificationListener> listener,
        Optional<HikariDataSource> ownPool,
        DurabilityCheck durability) {

    /** Opens a database after all checks of {@link JdbcFeedStore.Builder#build}. */
    static Database open(DataSource source, String schema, String prefix, Optional<Clock> clock, Duration timeout) {
        StoreChecks.requireOwnTransactions(source);
        Database database = new Database(source, new TableNames(schema, prefix), clock, timeout);
        StoreChecks.requireVersion(database);
        JdbcSchema.of(source, schema, prefix).check();
        StoreChecks.requireFit(database);
        return database;
    }

    static StoreAssembly on(DataSource source, Optional<HikariDataSource> ownPool, StoreSettings settings) {
        Database opened = open(source, settings.schema(), settings.prefix(), settings.clock(), settings.timeout());
        DurabilityCheck durability = DurabilityCheck.run(opened);
        Optional<HostPosts> posts = settings.posts().map(table -> HostPosts.of(opened, table));
        Optional<NotificationListener> listener =
                settings.notifications() ? Optional.of(listener(source, opened, settings.timeout())) : Optional.empty();
        Database database = listener.map(NotificationListener::channel)
                .map(opened::notifying)
                .orElse(opened);
        FollowGraph graph = settings.follows().isPresent()
                ? HostFollowGraph.of(opened, settings.follows().get())
                : new JdbcFollowGraph(database);
        JdbcFanoutLog log = new JdbcFanoutLog(database, listener);
        JdbcOutbox outbox = new JdbcOutbox(database, log, posts);
        JdbcRankSnapshots rankSnapshots = new JdbcRankSnapshots(database);
        JdbcPresenceStore presence = new JdbcPresenceStore(database);
        List<Maintenance.Named> jobs = List.of(
                new Maintenance.Named("inbox.purge", new ExpiredInboxCleanup(database)::run),
                new Maintenance.Named("log.forget", log::forget),
                new Maintenance.Named("register.forget", outbox.pulled()::forget),
                new Maintenance.Named("rankSnapshots.purge", rankSnapshots::purge),
                new Maintenance.Named("presence.purge", presence::purge));
        return new StoreAssembly(
                database,
                outbox,
                graph,
                new JdbcSeenMarks(database),
                rankSnapshots,
                presence,
                new Maintenance(jobs, settings.maintenanceInterval(), settings.timeout()),
                listener,
                ownPool,
                durability);
    }

    private static NotificationListener listener(DataSource source, Database database, Duration timeout) {
        NotificationListener.requirePossible(source, NotificationUse.TASKS);
        return new NotificationListener(source, NotificationChannel.ofTasks(database), timeout, NotificationUse.TASKS);
    }

    void close() {
        listener.ifPresent(NotificationListener::close);
        maintenance.close();
        ownPool.ifPresent(HikariDataSource::close);
    }
}
