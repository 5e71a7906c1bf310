/** Fan-out tasks handed to workers through Kafka, and posts that other services hear of or tell of there. */
module io.feedkit.kafka {
    requires transitive io.feedkit.core;
    requires transitive kafka.clients;
    // Kafka's client needs them, and as an automatic module cannot say so.
    requires java.management;
    requires java.security.jgss;
    requires java.security.sasl;
    requires jdk.unsupported;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.feedkit.kafka;
}
