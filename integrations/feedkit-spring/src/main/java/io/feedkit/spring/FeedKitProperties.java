package io.feedkit.spring;

import io.feedkit.Beta;
import io.feedkit.fanout.FanoutPolicy;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code feedkit.*}. Each setting that is absent has the default of FeedKit's own builder; see
 * {@code docs/reference/settings.md}. An unknown property stops the start.
 *
 * @param store Where posts, follows and inboxes are kept.
 * @param inboxes Where inboxes are kept if posts are in SQL.
 * @param schema How FeedKit's tables come into the database.
 * @param name Name of the engine in log messages and thread names.
 * @param policy Decides between push and pull, such as push, pull, hybrid(100000), active(100000) or online(push). A
 *     FanoutPolicy bean replaces it.
 * @param policies Named policies to which all engines can be switched.
 * @param cap Posts that an inbox serves.
 * @param liveWindow How long an inbox stays live after its reader's last read.
 * @param ownPosts Whether authors see their own posts in their feeds.
 * @param publishingCountsAsActivity Whether a publish keeps its author's inbox live.
 * @param maxFutureSkew How far ahead of the present a post may be dated.
 * @param unreadCap Where counting unread posts stops.
 * @param maxFollowees Reads a feed from at most this many followees.
 * @param workers Threads that fan posts out. 0 for a node that only publishes and reads.
 * @param reading How feeds are read.
 * @param fanout How posts are fanned out.
 * @param live Live feeds.
 * @param presence Who is online.
 * @param archiving When and how fast old posts move to a PostArchive bean.
 * @param copying How inboxes are copied to an InboxCopies bean.
 * @param queue Fan-out through a FanoutQueue bean.
 * @param jdbc Stores in SQL.
 * @param redis Stores in Redis.
 * @param counters Unread counters, counters and reactions.
 * @param web Arguments and answers of handlers.
 * @param health The health contributor.
 * @since 0.1.0
 */
@Beta
@ConfigurationProperties(prefix = "feedkit", ignoreUnknownFields = false)
public record FeedKitProperties(
        @DefaultValue("auto") Store store,
        @DefaultValue("auto") Inboxes inboxes,
        @DefaultValue("auto") Schema schema,
        @Nullable String name,
        @Nullable FanoutPolicy policy,
        @DefaultValue Map<String, FanoutPolicy> policies,
        @Nullable Integer cap,
        @Nullable Duration liveWindow,
        @Nullable Boolean ownPosts,
        @Nullable Boolean publishingCountsAsActivity,
        @Nullable Duration maxFutureSkew,
        @Nullable Integer unreadCap,
        @Nullable Integer maxFollowees,
        @Nullable Integer workers,
        @DefaultValue Reading reading,
        @DefaultValue Fanout fanout,
        @DefaultValue Live live,
        @DefaultValue Presence presence,
        @DefaultValue Archiving archiving,
        @DefaultValue Copying copying,
        @DefaultValue Queue queue,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Redis redis,
        @DefaultValue Counters counters,
        @DefaultValue Web web,
        @DefaultValue Health health) {

    /** Where posts, follows and inboxes are kept. */
    public enum Store {
        /** In SQL if there is a DataSource, else in Redis if its address is known, else in memory. */
        AUTO,
        /** In SQL. */
        JDBC,
        /** In Redis, posts included. */
        REDIS,
        /** In memory: lost when the application ends. */
        MEMORY
    }

    /** Where inboxes are kept if posts are in SQL. */
    public enum Inboxes {
        /** In Redis if its address is known, else in SQL. */
        AUTO,
        /** In SQL. */
        JDBC,
        /** In Redis. */
        REDIS
    }

    /** How FeedKit's tables come into the database. */
    public enum Schema {
        /** By Flyway or Liquibase if the application uses one of them, else as {@link #CREATE}. */
        AUTO,
        /** FeedKit creates and upgrades the tables at each start. */
        CREATE,
        /** The start fails if the tables are missing or have another version. */
        VALIDATE,
        /** The tables are created by others before the start. */
        NONE
    }

    /**
     * How feeds are read.
     *
     * @param staleness How late other engines' pulled posts and deletes may show.
     * @param maxScannedPerPage Candidates read to fill one page.
     * @param reconcileInterval How often an active reader's inbox is compared with the outboxes.
     * @param maxInboxAge How old an inbox may become whose reader reads no first page.
     * @param concurrentRebuilds Inboxes that this engine builds at once.
     * @param readsWithoutInbox Pages and counts read at once while the inbox store is down.
     * @param staleIfError How old remembered data may be to serve pages while the source of truth is down. 0 for off.
     * @param followeeCache Followee ids remembered, over all readers.
     * @param followeeAge How long followees are remembered.
     * @param rankSnapshotAge How long the order of a ranked feed is kept.
     */
    public record Reading(
            @Nullable Duration staleness,
            @Nullable Integer maxScannedPerPage,
            @Nullable Duration reconcileInterval,
            @Nullable Duration maxInboxAge,
            @Nullable Integer concurrentRebuilds,
            @Nullable Integer readsWithoutInbox,
            @Nullable Duration staleIfError,
            @Nullable Integer followeeCache,
            @Nullable Duration followeeAge,
            @Nullable Duration rankSnapshotAge) {}

    /**
     * How posts are fanned out.
     *
     * @param lease How long a stopped worker keeps its tasks. Must be equal on all nodes.
     * @param batchSize Followers handled between two checkpoints.
     * @param maxAttempts Failures in a row after which a task becomes a dead letter.
     * @param retryDelay Delay after the first failure.
     * @param replayHorizon How long finished tasks are kept.
     * @param splitThreshold Followers above which several workers share one push.
     * @param pollInterval How often idle workers look for tasks of other engines.
     * @param activeWindow How recently a follower must have read to get an active push.
     * @param activePushRate Followers a second that one active push looks at.
     */
    public record Fanout(
            @Nullable Duration lease,
            @Nullable Integer batchSize,
            @Nullable Integer maxAttempts,
            @Nullable Duration retryDelay,
            @Nullable Duration replayHorizon,
            @Nullable Long splitThreshold,
            @Nullable Duration pollInterval,
            @Nullable Duration activeWindow,
            @Nullable Integer activePushRate) {}

    /**
     * Live feeds.
     *
     * @param bus Carries signals between engines. A LiveBus bean replaces it.
     * @param executor Name of the Executor bean that calls subscribers.
     * @param pollInterval How often an engine looks for other engines' changes while no bus works.
     * @param bufferSize Signals that wait for one subscriber.
     */
    public record Live(
            @DefaultValue("auto") Bus bus,
            @Nullable String executor,
            @Nullable Duration pollInterval,
            @Nullable Integer bufferSize) {

        /** Carries signals between engines. */
        public enum Bus {
            /** Redis if the store uses it, else none. */
            AUTO,
            /** None: engines poll the store. */
            NONE,
            /** PostgreSQL, on the data source of the store. */
            POSTGRES,
            /** Redis. */
            REDIS
        }
    }

    /**
     * Who is online.
     *
     * @param shared Whether presence is kept in the store of the inboxes, for all engines, or in this engine's memory.
     *     A PresenceStore bean replaces it.
     * @param interval How often connected readers are reported to the store.
     * @param onlineWindow How long a reader is online after being seen.
     * @param lastSeenKept How long it is known when an offline reader was last seen.
     * @param readsCountAsSeen Whether a read of the own feed counts.
     * @param publishesCountAsSeen Whether a publish counts.
     */
    public record Presence(
            @DefaultValue("true") boolean shared,
            @Nullable Duration interval,
            @Nullable Duration onlineWindow,
            @Nullable Duration lastSeenKept,
            @Nullable Boolean readsCountAsSeen,
            @Nullable Boolean publishesCountAsSeen) {}

    /**
     * When and how fast old posts move to a PostArchive bean.
     *
     * @param after The age at which posts move.
     * @param batchSize How many posts move at a time.
     * @param postsPerSecond How many posts move per second.
     * @param interval How long the mover waits after it has looked through all authors.
     */
    public record Archiving(
            @Nullable Duration after,
            @Nullable Integer batchSize,
            @Nullable Integer postsPerSecond,
            @Nullable Duration interval) {}

    /**
     * How inboxes are copied to an InboxCopies bean.
     *
     * @param depth How many posts are copied.
     * @param interval How often the inbox of an active reader is copied at most.
     * @param lifetime How long a copy is kept.
     */
    public record Copying(
            @Nullable Integer depth,
            @Nullable Duration interval,
            @Nullable Duration lifetime) {}

    /**
     * Fan-out through a FanoutQueue bean.
     *
     * @param relay Whether this engine sends tasks to the queue.
     * @param loan How long a task is lent to the queue before it is sent again.
     * @param lendingWindow Tasks lent and not yet taken.
     */
    public record Queue(
            @Nullable Boolean relay,
            @Nullable Duration loan,
            @Nullable Integer lendingWindow) {}

    /**
     * Stores in SQL.
     *
     * @param dataSource Name of the DataSource bean, if there are several.
     * @param schema Schema of the tables. In MySQL and MariaDB a database.
     * @param prefix Prefix of the tables' names.
     * @param timeout Limits a statement.
     * @param maintenanceInterval How often expired rows are removed. 0 for never.
     * @param notifications Wakes workers of other processes at once. Needs PostgreSQL.
     * @param posts The application's own table of posts.
     * @param follows The application's own table of follows.
     */
    public record Jdbc(
            @Nullable String dataSource,
            @Nullable String schema,
            @Nullable String prefix,
            @Nullable Duration timeout,
            @Nullable Duration maintenanceInterval,
            @Nullable Boolean notifications,
            @Nullable Posts posts,
            @Nullable Follows follows) {}

    /**
     * The application's own table of posts.
     *
     * @param table The table or view.
     * @param schema The schema of the table.
     * @param author The column of authors.
     * @param id The column of posts' ids.
     * @param publishedAt The column of times.
     * @param time The kind of the times.
     */
    public record Posts(
            String table,
            @Nullable String schema,
            @Nullable String author,
            @Nullable String id,
            @DefaultValue("published_at") String publishedAt,
            @DefaultValue("millis") Time time) {

        /** The kind of the times in a column. */
        public enum Time {
            /** Milliseconds since 1970. */
            MILLIS,
            /** Timestamps, in UTC without a time zone. */
            TIMESTAMP
        }
    }

    /**
     * The application's own table of follows.
     *
     * @param table The table or view.
     * @param schema The schema of the table.
     * @param follower The column of those who follow.
     * @param followee The column of those who are followed.
     */
    public record Follows(
            String table,
            @Nullable String schema,
            @Nullable String follower,
            @Nullable String followee) {}

    /**
     * Stores in Redis.
     *
     * @param uri Address of the servers. By default, that of Spring Data Redis.
     * @param prefix Prefix of the keys. Each deployment needs its own.
     * @param timeout Limits the wait for an answer, and for a connection.
     * @param startWithoutServer Whether the application starts while Redis cannot be reached. Only for inboxes.
     * @param replicas Replicas that must have a write before it is acknowledged. Only if posts are in Redis.
     */
    public record Redis(
            @Nullable String uri,
            @Nullable String prefix,
            @Nullable Duration timeout,
            @Nullable Boolean startWithoutServer,
            @Nullable Integer replicas) {}

    /**
     * Unread counters, counters and reactions.
     *
     * @param store Where they are kept. A CounterStore bean replaces it.
     */
    public record Counters(@DefaultValue("auto") Kind store) {

        /** Where counters are kept. */
        public enum Kind {
            /** With the posts. */
            AUTO,
            /** In SQL. */
            JDBC,
            /** In Redis. */
            REDIS,
            /** In SQL, behind Redis. */
            WRITE_BEHIND,
            /** In memory: lost when the application ends. */
            MEMORY
        }
    }

    /**
     * Arguments and answers of handlers.
     *
     * @param limit Posts of a page if the client names no limit.
     * @param maxLimit The largest limit that a client may name.
     * @param problemDetails Whether FeedKit's exceptions become problem details.
     * @param retryAfter What clients are told to wait if a store is unavailable.
     */
    public record Web(
            @DefaultValue("20") int limit,
            @DefaultValue("100") int maxLimit,
            @DefaultValue("true") boolean problemDetails,
            @DefaultValue("2s") Duration retryAfter) {

        /** The most posts of a page that {@link io.feedkit.PageRequest} allows. */
        private static final int MOST = 1000;

        /** Refuses limits and times that are not positive, and a default limit above the largest. */
        public Web {
            require("feedkit.web.max-limit", maxLimit, maxLimit >= 1 && maxLimit <= MOST, "between 1 and " + MOST);
            require(
                    "feedkit.web.limit",
                    limit,
                    limit >= 1 && limit <= maxLimit,
                    "between 1 and feedkit.web.max-limit, " + maxLimit);
            require(
                    "feedkit.web.retry-after",
                    retryAfter,
                    !retryAfter.isNegative() && !retryAfter.isZero(),
                    "longer than zero");
        }
    }

    /**
     * The health contributor.
     *
     * @param timeout How long to wait for the store, from 1 ms to 1 minute.
     */
    public record Health(@DefaultValue("2s") Duration timeout) {

        /** Refuses times that {@link io.feedkit.FeedEngine#check} does not take. */
        public Health {
            require(
                    "feedkit.health.timeout",
                    timeout,
                    timeout.compareTo(Duration.ofMillis(1)) >= 0 && timeout.compareTo(Duration.ofMinutes(1)) <= 0,
                    "between 1ms and 1m");
        }
    }

    private static void require(String property, Object value, boolean legal, String range) {
        if (!legal) {
            throw new InvalidSettingException(
                    property,
                    value,
                    "it must be " + range + ".",
                    "Change " + property + ", or remove it for the default.",
                    null);
        }
    }
}
