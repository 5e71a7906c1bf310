package io.feedkit.tools.replay;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.tools.servers.FanoutQueues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of a replay.
 *
 * @param follows files of follows, which are merged
 * @param events the events
 * @param batchSize the largest number of posts published together
 * @param policy how posts reach their readers
 * @param store the address of the store, see {@link FeedStores}
 * @param archive the address of the archive, see {@link Archives}
 * @param archiveAfter the age at which posts move to the archive
 * @param copies the address of the store of copies of inboxes, see {@link Copies}
 * @param queue how tasks reach the workers, see {@link FanoutQueues}
 * @param cap the largest number of entries in an inbox
 * @param page posts per page
 * @param liveWindow how long an inbox stays live
 * @param threads fan-out workers, and threads of the final reads
 * @param newest how many posts every reader reads at the end, or {@link #ALL}
 * @param digest whether to compute the digest
 * @param unread whether to count unread posts at the end
 */
record ReplayOptions(
        List<Path> follows,
        EventFile events,
        int batchSize,
        FanoutPolicy policy,
        String store,
        String archive,
        Duration archiveAfter,
        String copies,
        String queue,
        int cap,
        int page,
        Duration liveWindow,
        int threads,
        int newest,
        boolean digest,
        boolean unread) {

    /** For {@code newest}: the whole feed, page by page. */
    static final int ALL = 0;

    /** For {@code batchSize}, if the events are only posts. */
    static final int POSTS_PER_BATCH = 500;

    /** The default of {@code page}. */
    static final int DEFAULT_PAGE = 20;

    /** The default of {@code newest}. */
    static final int DEFAULT_NEWEST = 50;
}
