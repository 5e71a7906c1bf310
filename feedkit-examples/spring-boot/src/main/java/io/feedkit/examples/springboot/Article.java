package io.feedkit.examples.springboot;

/** A row of the magazine. */
record Article(String author, String id, String body, long publishedAt) {}
