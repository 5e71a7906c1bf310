package io.feedkit.examples.microblog.status;

/** An account that a status mentions, as JSON. */
public record Mention(String id, String username, String acct, String url) {}
