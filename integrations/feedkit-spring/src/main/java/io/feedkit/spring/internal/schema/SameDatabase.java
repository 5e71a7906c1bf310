package io.feedkit.spring.internal.schema;

import io.feedkit.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds out whether a migration tool works on the database of FeedKit's tables. */
final class SameDatabase {

    private SameDatabase() {}

    /** The tool's data source, whose user may create tables, if it leads to the database of the other one. */
    static DataSource choose(@Nullable DataSource tool, DataSource tables) {
        return tool != null && (tool == tables || address(tool).equals(address(tables))) ? tool : tables;
    }

    /** The URL without its parameters, such as the user. */
    private static String address(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String url = String.valueOf(connection.getMetaData().getURL());
            return url.split("[?;]", 2)[0];
        } catch (SQLException e) {
            throw new StoreUnavailableException("schema.migrate", e);
        }
    }
}
