package io.feedkit.spring.internal.schema;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.Configuration;

/** Flyway, with a history of FeedKit's own: the versions of its scripts are not those of the application's scripts. */
public final class FlywayTool implements SchemaTool {

    private final Configuration host;

    public FlywayTool(Flyway host) {
        this.host = host.getConfiguration();
    }

    @Override
    public void migrate(DataSource dataSource, String folder, String tables, String prefix) {
        Flyway.configure(host.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:feedkit-jdbc/" + folder)
                .table(prefix + "flyway_history")
                .placeholders(Map.of("feedkit.tables", tables, "feedkit.prefix", prefix))
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }
}
