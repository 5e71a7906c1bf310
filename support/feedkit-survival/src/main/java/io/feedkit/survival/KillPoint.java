package io.feedkit.survival;

/** The points at which a process is killed. */
enum KillPoint {
    RELAY_BEFORE_LEND(Role.RELAY),
    RELAY_AFTER_LEND(Role.RELAY),
    RELAY_AFTER_SEND(Role.RELAY),
    WORKER_BEFORE_TAKE(Role.WORKER),
    WORKER_AFTER_TAKE(Role.WORKER),
    WORKER_AFTER_ACKNOWLEDGE(Role.WORKER),
    WORKER_BEFORE_DELIVER(Role.WORKER),
    WORKER_AFTER_DELIVER(Role.WORKER),
    WORKER_AFTER_CHECK(Role.WORKER),
    WORKER_BEFORE_CHECKPOINT(Role.WORKER),
    WORKER_AFTER_CHECKPOINT(Role.WORKER),
    WORKER_AFTER_SPLIT(Role.WORKER),
    WORKER_BEFORE_FINISH(Role.WORKER),
    WORKER_AFTER_FINISH(Role.WORKER),
    BROKER_AFTER_LEND(Role.BROKER),
    BROKER_AFTER_SEND(Role.BROKER),
    BROKER_AFTER_TAKE(Role.BROKER),
    PUBLISHER_BEFORE_APPEND(Role.PUBLISHER),
    PUBLISHER_AFTER_APPEND(Role.PUBLISHER),
    PUBLISHER_AFTER_DELETE(Role.PUBLISHER);

    /** The part of the killed process in the fan-out. */
    enum Role {
        RELAY,
        WORKER,
        BROKER,
        PUBLISHER
    }

    private final Role role;

    KillPoint(Role role) {
        this.role = role;
    }

    Role role() {
        return role;
    }
}
