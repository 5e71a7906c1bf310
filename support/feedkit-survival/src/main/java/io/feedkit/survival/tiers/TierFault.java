package io.feedkit.survival.tiers;

/** The faults of the production shape, apart from kills of FeedKit's own processes. */
enum TierFault {
    REDIS_FAILED_OVER,
    SQL_RESTORED_DISTRUST,
    SQL_RESTORED_FLUSH,
    SQL_RESTORED_VERIFY
}
