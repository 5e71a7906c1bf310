package io.feedkit.spring.internal.schema;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.SchemaVersionException;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.FeedKitProperties.Schema;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.internal.schema.SchemaTool.Scripts;
import io.feedkit.spring.internal.store.DataSources;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Brings FeedKit's tables into the database, as the property {@code feedkit.schema} says. */
public final class SchemaSetup {

    private static final int ATTEMPTS = 5;
    private static final long PAUSE_NANOS = 500_000_000;

    private final FeedKitProperties properties;
    private final Optional<SchemaTool> tool;

    /**
     * Creates a set-up.
     *
     * @param tool the application's own tool, if it has one
     */
    public SchemaSetup(FeedKitProperties properties, Optional<SchemaTool> tool) {
        this.properties = properties;
        this.tool = tool;
    }

    /** Creates, upgrades or checks the tables. */
    public void prepare(DataSource dataSource) {
        switch (properties.schema()) {
            case AUTO -> tool.ifPresentOrElse(found -> migrate(found, dataSource), () -> upgrade(dataSource));
            case CREATE -> upgrade(dataSource);
            case VALIDATE -> check(dataSource);
            case NONE -> {}
        }
    }

    private void migrate(SchemaTool found, DataSource dataSource) {
        try {
            found.migrate(dataSource, scripts(dataSource));
        } catch (StoreUnavailableException e) {
            throw DataSources.unusable(properties.jdbc(), dataSource, e);
        }
    }

    /** The tool may have another user and address, so it is told where the application's connections look. */
    private Scripts scripts(DataSource dataSource) {
        int found = version(schema(dataSource));
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
            String schema = schemaName();
            return new Scripts(
                    product.equals("mariadb") ? "mysql" : product,
                    schema,
                    schema.isEmpty() ? connection.getSchema() : schema,
                    prefix(),
                    found);
        } catch (SQLException e) {
            throw new StoreUnavailableException("schema.migrate", e);
        }
    }

    /** The version of the tables; 0 if there are none. */
    private static int version(JdbcSchema schema) {
        try {
            schema.check();
            return JdbcSchema.VERSION;
        } catch (SchemaVersionException e) {
            return e.found();
        }
    }

    /** Of instances that start at the same time, one creates the tables; the others find them at their next attempt. */
    private void upgrade(DataSource dataSource) {
        for (int attempt = 1; ; attempt++) {
            try {
                schema(dataSource).upgrade();
                return;
            } catch (StoreUnavailableException e) {
                if (attempt == ATTEMPTS) {
                    throw new InvalidSettingException(
                            "feedkit.schema",
                            name(properties.schema()),
                            "FeedKit's tables cannot be created: " + e.getMessage() + ".",
                            "Check the database and the rights of its user, or create the tables otherwise and set"
                                    + " feedkit.schema=validate.",
                            e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void check(DataSource dataSource) {
        try {
            schema(dataSource).check();
        } catch (SchemaVersionException e) {
            throw refused(properties.schema(), e);
        } catch (StoreUnavailableException e) {
            throw DataSources.unusable(properties.jdbc(), dataSource, e);
        }
    }

    /** What an application is told whose tables are not those of this library. */
    public static InvalidSettingException refused(Schema schema, SchemaVersionException e) {
        return new InvalidSettingException(
                "feedkit.schema",
                name(schema),
                e.getMessage() + ".",
                "Run the scripts of classpath:feedkit-jdbc, or set feedkit.schema=create.",
                e);
    }

    private JdbcSchema schema(DataSource dataSource) {
        return JdbcSchema.of(dataSource, schemaName(), prefix());
    }

    private String schemaName() {
        String schema = properties.jdbc().schema();
        return schema == null ? "" : schema;
    }

    private String prefix() {
        String prefix = properties.jdbc().prefix();
        return prefix == null ? JdbcSchema.DEFAULT_PREFIX : prefix;
    }

    private static String name(Schema schema) {
        return schema.name().toLowerCase(Locale.ROOT);
    }
}
