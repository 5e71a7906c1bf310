/** Stores feeds and counters in Redis. */
module io.feedkit.redis {
    requires transitive io.feedkit.core;
    requires transitive lettuce.core;
    // Lettuce needs these modules, but cannot declare them, because it is an automatic module.
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
