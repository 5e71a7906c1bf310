package io.feedkit.examples.microblog.account;

/** How the reader and an account stand to each other, as JSON. */
record Relationship(
        String id,
        boolean following,
        boolean showingReblogs,
        boolean notifying,
        boolean followedBy,
        boolean blocking,
        boolean blockedBy,
        boolean muting,
        boolean mutingNotifications,
        boolean requested,
        boolean domainBlocking,
        boolean endorsed,
        String note) {

    static Relationship of(String id, boolean following, boolean followedBy) {
        return new Relationship(
                id, following, following, false, followedBy, false, false, false, false, false, false, false, "");
    }
}
