package io.feedkit.survival.live;

/** What fails. */
enum Scenario {
    /** The Redis server of the bus is killed, and restarted after some seconds. */
    REDIS_BUS_KILLED,

    /** The Redis server of the bus stops for some seconds. */
    REDIS_BUS_PAUSED,

    /** Another Redis server takes the address of the bus. */
    REDIS_BUS_REPLACED,

    /** The PostgreSQL server of the bus is killed, and restarted after some seconds. */
    POSTGRES_BUS_KILLED,

    /** The PostgreSQL server of the bus stops for some seconds. */
    POSTGRES_BUS_PAUSED,

    /** Another PostgreSQL server takes the address of the bus. */
    POSTGRES_BUS_REPLACED,

    /** A process with an engine and its subscribers is killed. */
    ENGINE_KILLED,

    /** Redis, which has the inboxes, is down: killed, killed and emptied, or stopped. */
    REDIS_DOWN,

    /** PostgreSQL, which has the posts and the follow graph, is down: killed or stopped. */
    POSTGRES_DOWN,

    /** Subscribers block, throw, cancel in mid-event, and request little or nothing. */
    HOSTILE_SUBSCRIBERS,

    /** Many clients reconnect at once, to another engine. */
    RECONNECTS;

    boolean isOfRedisBus() {
        return this == REDIS_BUS_KILLED || this == REDIS_BUS_PAUSED || this == REDIS_BUS_REPLACED;
    }

    boolean isOfPostgresBus() {
        return this == POSTGRES_BUS_KILLED || this == POSTGRES_BUS_PAUSED || this == POSTGRES_BUS_REPLACED;
    }

    boolean isOfStore() {
        return this == REDIS_DOWN || this == POSTGRES_DOWN;
    }
}
