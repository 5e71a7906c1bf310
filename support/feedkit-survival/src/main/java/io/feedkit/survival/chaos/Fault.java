package io.feedkit.survival.chaos;

/** The faults and changes. */
enum Fault {
    NODE_KILLED,
    REDIS_KILLED,
    REDIS_EMPTIED,
    REDIS_FLUSHED,
    REDIS_FROZEN,
    POSTGRES_KILLED,
    POSTGRES_FROZEN,
    /** Once in a long run, for half a minute. */
    POSTGRES_DOWN,
    ARCHIVE_KILLED,
    ARCHIVE_FROZEN,
    CONNECTIONS_RESET,
    CONNECTIONS_REFUSED,
    REQUESTS_LOST,
    REPLIES_LOST,
    REPLIES_CUT,
    NETWORK_SLOW,
    WORKERS_PAUSED,
    POLICY_CHANGED
}
