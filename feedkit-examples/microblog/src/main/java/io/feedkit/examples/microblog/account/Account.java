package io.feedkit.examples.microblog.account;

/** Somebody who writes and reads. */
public record Account(long id, String username, String displayName, String note, long createdAt) {

    /** The account as FeedKit's author and reader. */
    public String key() {
        return Long.toString(id);
    }

    /** FeedKit's author of this account's notifications. */
    public String notifier() {
        return "notify:" + id;
    }
}
