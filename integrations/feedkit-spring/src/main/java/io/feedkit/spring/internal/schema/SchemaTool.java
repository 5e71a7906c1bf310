package io.feedkit.spring.internal.schema;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A tool by which the application migrates its database. */
public interface SchemaTool {

    /** Creates or upgrades FeedKit's tables, as the user with whom the tool migrates the application's tables. */
    void migrate(DataSource dataSource, Scripts scripts);

    /**
     * What to run.
     *
     * @param folder the folder of the database's scripts, such as {@code postgresql}
     * @param schema the schema of the tables, as a property names it; empty for that of the connection
     * @param place the schema in which the application's connections find the tables; null if the database has none
     * @param prefix the prefix of the tables, such as {@code feedkit_}
     * @param found the version of tables that are there already; 0 if there are none
     */
    record Scripts(String folder, String schema, @Nullable String place, String prefix, int found) {

        /** The qualified prefix of the tables, such as {@code app.feedkit_}. */
        String tables() {
            return schema.isEmpty() ? prefix : schema + "." + prefix;
        }
    }
}
