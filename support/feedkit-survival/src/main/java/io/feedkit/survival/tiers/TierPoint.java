package io.feedkit.survival.tiers;

/** The points at which a process is killed that moves posts to the archive, or runs {@code verify}. */
enum TierPoint {
    /** The boundary is raised, and nothing has moved. */
    MOVER_AFTER_RAISE(Role.MOVER, 3),
    MOVER_BEFORE_COPY(Role.MOVER, 3),
    MOVER_AFTER_COPY(Role.MOVER, 3),
    /** The copies were looked up; the rows are removed next. */
    MOVER_AFTER_LOOKUP(Role.MOVER, 3),
    MOVER_AFTER_REMOVE(Role.MOVER, 3),
    /** Posts were deleted during the move, and the archive still has their copies. */
    MOVER_BEFORE_DELETE(Role.MOVER, 1),
    MOVER_AFTER_DELETE(Role.MOVER, 1),
    VERIFY_BEFORE_WINDOW(Role.VERIFY, 12),
    VERIFY_AFTER_WINDOW(Role.VERIFY, 12),
    /** A missing post is inserted next. */
    VERIFY_BEFORE_MERGE(Role.VERIFY, 1),
    VERIFY_AFTER_MERGE(Role.VERIFY, 1),
    /** An entry was removed whose post does not exist. */
    VERIFY_AFTER_RETRACT(Role.VERIFY, 1),
    /** An inbox was opened for a rebuild, and has no posts yet. */
    VERIFY_AFTER_OPEN(Role.VERIFY, 1),
    VERIFY_BEFORE_COMPLETE(Role.VERIFY, 2),
    VERIFY_AFTER_COMPLETE(Role.VERIFY, 2),
    VERIFY_BEFORE_END_FOLLOW(Role.VERIFY, 1),
    VERIFY_AFTER_END_FOLLOW(Role.VERIFY, 1),
    VERIFY_BEFORE_RECOUNT(Role.VERIFY, 1),
    VERIFY_AFTER_RECOUNT(Role.VERIFY, 1),
    /** An author enters the pulled register next, or leaves it. */
    VERIFY_BEFORE_REGISTER(Role.VERIFY, 2),
    VERIFY_AFTER_REGISTER(Role.VERIFY, 2),
    /** The archive has a post that was deleted. */
    VERIFY_BEFORE_ARCHIVE_DELETE(Role.VERIFY, 1),
    VERIFY_AFTER_ARCHIVE_DELETE(Role.VERIFY, 1),
    VERIFY_BEFORE_RESET(Role.VERIFY, 1),
    VERIFY_AFTER_RESET(Role.VERIFY, 1);

    /** What the killed process does. */
    enum Role {
        MOVER,
        VERIFY
    }

    private final Role role;
    private final int latestTime;

    TierPoint(Role role, int latestTime) {
        this.role = role;
        this.latestTime = latestTime;
    }

    Role role() {
        return role;
    }

    /** A process certainly passes the point so often. */
    int latestTime() {
        return latestTime;
    }
}
