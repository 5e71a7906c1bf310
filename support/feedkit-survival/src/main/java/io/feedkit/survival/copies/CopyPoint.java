package io.feedkit.survival.copies;

/** The points at which a process is killed that copies inboxes, or fills inboxes from copies. */
enum CopyPoint {
    COPIER_BEFORE_STORE(Role.COPIER),
    /** Half of the parts are stored. */
    COPIER_WITHIN_STORE(Role.COPIER),
    COPIER_AFTER_STORE(Role.COPIER),
    COPIER_AFTER_PUBLISH(Role.COPIER),
    /** The inbox is reconciled, and its copy is not offered. */
    COPIER_AFTER_COMPLETE(Role.COPIER),
    FILLER_AFTER_HEADS(Role.FILLER),
    FILLER_AFTER_PARTS(Role.FILLER),
    FILLER_AFTER_OPEN(Role.FILLER),
    FILLER_AFTER_CATCH_UP(Role.FILLER),
    /** The inbox has posts that are not compared with deletes. */
    FILLER_AFTER_MERGE(Role.FILLER),
    FILLER_BEFORE_COMPLETE(Role.FILLER),
    FILLER_AFTER_COMPLETE(Role.FILLER);

    /** What the killed process does. */
    enum Role {
        COPIER,
        FILLER
    }

    private final Role role;

    CopyPoint(Role role) {
        this.role = role;
    }

    Role role() {
        return role;
    }
}
