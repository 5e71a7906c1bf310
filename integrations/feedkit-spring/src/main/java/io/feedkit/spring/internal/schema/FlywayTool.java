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

    /** Tables that are there without a history were not made by Flyway: its history then begins with their version. */
    @Override
    public void migrate(DataSource dataSource, Scripts scripts) {
        Flyway.configure(host.getClassLoader())
                .dataSource(SameDatabase.choose(host.getDataSource(), dataSource))
                .defaultSchema(scripts.place())
                .locations("classpath:feedkit-jdbc/" + scripts.folder())
                .table(scripts.prefix() + "flyway_history")
                .placeholders(Map.of("feedkit.tables", scripts.tables(), "feedkit.prefix", scripts.prefix()))
                .baselineOnMigrate(true)
                .baselineVersion(Integer.toString(scripts.found()))
                .load()
                .migrate();
    }
}
