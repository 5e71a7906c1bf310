package io.feedkit.spring.internal.schema;

import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;
import org.springframework.core.io.DefaultResourceLoader;

/** Liquibase, with a change log of FeedKit's own in the application's change log table. */
public final class LiquibaseTool implements SchemaTool {

    private static final String CHANGE_LOG = "classpath:feedkit-spring/liquibase.xml";

    private final SpringLiquibase host;

    public LiquibaseTool(SpringLiquibase host) {
        this.host = host;
    }

    @Override
    public void migrate(DataSource dataSource, Scripts scripts) {
        SpringLiquibase liquibase = new SpringLiquibase();
        liquibase.setDataSource(SameDatabase.choose(host.getDataSource(), dataSource));
        liquibase.setDefaultSchema(scripts.place());
        liquibase.setLiquibaseSchema(host.getLiquibaseSchema());
        liquibase.setLiquibaseTablespace(host.getLiquibaseTablespace());
        liquibase.setDatabaseChangeLogTable(host.getDatabaseChangeLogTable());
        liquibase.setDatabaseChangeLogLockTable(host.getDatabaseChangeLogLockTable());
        liquibase.setResourceLoader(new DefaultResourceLoader(LiquibaseTool.class.getClassLoader()));
        liquibase.setChangeLog(CHANGE_LOG);
        liquibase.setChangeLogParameters(parameters(scripts));
        try {
            liquibase.afterPropertiesSet();
        } catch (LiquibaseException e) {
            throw new IllegalStateException("Liquibase cannot create FeedKit's tables: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> parameters(Scripts scripts) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("feedkit.folder", scripts.folder());
        parameters.put("feedkit.tables", scripts.tables());
        parameters.put("feedkit.prefix", scripts.prefix());
        if (scripts.found() == 0) {
            parameters.put("feedkit.missing", "true");
        }
        return parameters;
    }
}
