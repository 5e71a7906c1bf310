package io.feedkit.testkit.model;

import java.util.List;

/**
 * The users of all runs, each of whom reads and publishes. Their ids are chosen to tell an order by bytes from others.
 */
final class Users {

    static final List<String> ALL = List.of("007", "7", "B", "a", "a!", "{x}:*", "~");

    private Users() {}
}
