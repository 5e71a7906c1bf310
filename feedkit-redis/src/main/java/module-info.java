/** Inboxes kept in Redis. */
module io.feedkit.redis {
    requires transitive io.feedkit.core;
    requires transitive lettuce.core;
    requires static transitive org.jspecify;

    exports io.feedkit.redis;
}
