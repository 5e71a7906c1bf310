package io.feedkit.examples.microblog.web;

import java.util.OptionalLong;

/** The parameters {@code max_id}, {@code since_id}, {@code min_id} and {@code limit} of a list, checked. */
public record PageBounds(OptionalLong maxId, OptionalLong sinceId, OptionalLong minId, int limit) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 40;
}
