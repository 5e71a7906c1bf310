package io.feedkit.survival;

/** What can happen to a fan-out beside the death of a process. */
enum Trouble {
    /** All messages are gone while thousands of tasks are lent. */
    QUEUE_PURGED,
    /** The broker has forgotten everything, its queues included, while thousands of tasks are lent. */
    BROKER_WIPED,
    /** The broker takes no messages. */
    BROKER_BLOCKED,
    /** Nothing reaches the broker any more, and no connection breaks. */
    NOTHING_REACHES_BROKER,
    /** Nothing comes from the broker any more, and no connection breaks. */
    NOTHING_COMES_FROM_BROKER,
    /** The database is gone for a while. */
    DATABASE_GONE,
    /** The Redis that has the inboxes is gone for a while. */
    INBOXES_GONE,
    /** A worker hangs in the store for longer than the broker waits for acknowledgements. */
    ACKNOWLEDGEMENTS_OVERDUE,
    /** Workers come and go all the time. */
    WORKERS_COME_AND_GO,
    /** A worker's process stands still for longer than its lease. */
    WORKER_STANDS_STILL
}
