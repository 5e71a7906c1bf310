package io.feedkit.tools.replay;

import io.feedkit.Post;
import java.util.HashMap;
import java.util.Map;

/** The engine's ids for the integers in the files. Each user's id is created once, because it is used many times. */
final class Names {

    private static final int POST_DIGITS = 7;

    private final Map<Long, String> users = new HashMap<>();

    /** A user's id: the integer. Not thread-safe. */
    String user(long number) {
        return users.computeIfAbsent(number, String::valueOf);
    }

    /** The post of an event. Not thread-safe. */
    Post postOf(Event.Publish event) {
        return Post.of(user(event.author()), post(event.id()), event.millis());
    }

    /** A reader's id, the same integer. Thread-safe. */
    static String reader(long number) {
        return Long.toString(number);
    }

    /**
     * A post's id: the integer, padded with zeros to seven digits, so that posts of the same time are in the order of
     * their numbers.
     */
    static String post(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, POST_DIGITS - digits.length())) + digits;
    }

    /** The integer of a post's id. */
    static long number(String post) {
        return Long.parseLong(post);
    }
}
