package io.feedkit.spring.internal.schema;

import javax.sql.DataSource;

/** A tool by which the application migrates its database. */
public interface SchemaTool {

    /**
     * Creates or upgrades FeedKit's tables.
     *
     * @param folder the folder of the database's scripts, such as {@code postgresql}
     * @param tables the qualified prefix of the tables, such as {@code app.feedkit_}
     * @param prefix the prefix, such as {@code feedkit_}
     */
    void migrate(DataSource dataSource, String folder, String tables, String prefix);
}
