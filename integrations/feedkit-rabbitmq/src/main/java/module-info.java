/** Hands fan-out tasks to workers through RabbitMQ. */
module io.feedkit.rabbitmq {
    requires transitive com.rabbitmq.client;
    requires transitive io.feedkit.core;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.feedkit.rabbitmq;
}
