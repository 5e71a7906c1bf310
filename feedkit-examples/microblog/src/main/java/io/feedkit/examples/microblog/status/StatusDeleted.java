package io.feedkit.examples.microblog.status;

/** An event of the application: a status is gone. Published in the transaction that deletes it. */
public record StatusDeleted(long statusId) {}
