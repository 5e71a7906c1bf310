/** The feed engine, its SPI and the in-memory store. */
module io.feedkit.core {
    requires org.slf4j;
    requires static transitive org.jspecify;
}
