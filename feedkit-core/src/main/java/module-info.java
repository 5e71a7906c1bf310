/** The feed engine, its SPI and the in-memory store. */
@SuppressWarnings("module") // The backends are not there yet when the core is compiled.
module io.feedkit.core {
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.feedkit;
    exports io.feedkit.cards;
    exports io.feedkit.counter;
    exports io.feedkit.event;
    exports io.feedkit.fanout;
    exports io.feedkit.health;
    exports io.feedkit.inspect;
    exports io.feedkit.internal.archive to
            io.feedkit.testkit;
    exports io.feedkit.internal.bus to
            io.feedkit.jdbc,
            io.feedkit.redis;
    exports io.feedkit.internal.check to
            io.feedkit.cassandra,
            io.feedkit.jdbc,
            io.feedkit.kafka,
            io.feedkit.micrometer,
            io.feedkit.rabbitmq,
            io.feedkit.redis,
            io.feedkit.testkit;
    exports io.feedkit.live;
    exports io.feedkit.memory;
    exports io.feedkit.migration;
    exports io.feedkit.presence;
    exports io.feedkit.queue;
    exports io.feedkit.rank;
    exports io.feedkit.spi;
    exports io.feedkit.spi.counter;
    exports io.feedkit.unread;
    exports io.feedkit.verify;
}
