package io.feedkit.survival;

/** Faults of a fan-out other than the death of a process. */
enum Trouble {
    /** All messages are deleted while thousands of tasks are lent. */
    QUEUE_PURGED,
    /** The broker loses all data, its queues included, while thousands of tasks are lent. */
    BROKER_WIPED,
    /** The broker refuses messages. */
    BROKER_BLOCKED,
    /** Requests to the broker are lost, and no connection breaks. */
    NOTHING_REACHES_BROKER,
    /** Replies of the broker are lost, and no connection breaks. */
    NOTHING_COMES_FROM_BROKER,
    /** The database is down for a while. */
    DATABASE_GONE,
    /** The Redis with the inboxes is down for a while. */
    INBOXES_GONE,
    /** A worker hangs in the store for longer than the broker waits for acknowledgements. */
    ACKNOWLEDGEMENTS_OVERDUE,
    /** Workers start and stop all the time. */
    WORKERS_COME_AND_GO,
    /** A worker's process is frozen for longer than its lease. */
    WORKER_STANDS_STILL
}
