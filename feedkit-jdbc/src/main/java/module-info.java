/** Feeds kept in a SQL database. */
module io.feedkit.jdbc {
    requires transitive io.feedkit.core;
    requires transitive java.sql;
    requires transitive org.jdbi.v3.core;
    requires com.zaxxer.hikari;
    // Jdbi needs it, but cannot declare that, because it is an automatic module.
    requires io.leangen.geantyref;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires static org.postgresql.jdbc;

    exports io.feedkit.jdbc;
}
