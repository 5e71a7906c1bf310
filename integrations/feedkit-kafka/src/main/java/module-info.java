/** Hands fan-out tasks to workers through Kafka, publishes post events there, and consumes posts of other services. */
module io.feedkit.kafka {
    requires transitive io.feedkit.core;
    requires transitive kafka.clients;
    // Kafka's client needs these modules, but cannot declare them, because it is an automatic module.
    requires java.management;
    requires java.security.jgss;
    requires java.security.sasl;
    requires jdk.unsupported;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.feedkit.kafka;
}
