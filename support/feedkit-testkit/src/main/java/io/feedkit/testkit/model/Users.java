package io.feedkit.testkit.model;

import java.util.List;

/**
 * The users of all runs; each of them reads and publishes. Their ids sort differently by bytes than in other orders.
 */
final class Users {

    static final List<String> ALL = List.of("007", "7", "B", "a", "a!", "{x}:*", "~");

    private Users() {}
}
