package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;

/** A post in a reader's inbox. */
record Entry(String reader, Post post) {}
