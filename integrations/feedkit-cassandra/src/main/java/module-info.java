/** Keeps copies of inboxes in Cassandra. */
module io.feedkit.cassandra {
    requires transitive io.feedkit.core;
    requires transitive java.driver.core;
    // The driver needs these modules, but cannot declare them, because it is an automatic module.
    requires com.fasterxml.jackson.databind;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.transport;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.feedkit.cassandra;
}
