/** A host of FeedKit. */
module io.feedkit.consumer {
    requires com.h2database;
    requires io.feedkit.core;
    requires io.feedkit.jdbc;
    requires java.sql;
}
