/** Feeds kept in Redis. */
module io.feedkit.redis {
    requires transitive io.feedkit.core;
    requires transitive lettuce.core;
    // Lettuce needs them, and as an automatic module cannot say so.
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.feedkit.redis;
}
