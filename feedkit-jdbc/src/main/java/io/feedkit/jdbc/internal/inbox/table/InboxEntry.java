package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.Post;

/** A post in a reader's inbox. */
public record InboxEntry(String reader, Post post) {}
