package io.feedkit.spring.internal.schema;

import java.util.Map;
import javax.sql.DataSource;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;
import org.springframework.core.io.DefaultResourceLoader;

/** Liquibase, with a change log of FeedKit's own in the application's change log table. */
public final class LiquibaseTool implements SchemaTool {

    private static final String CHANGE_LOG = "classpath:feedkit-spring/liquibase.xml";

    @Override
    public void migrate(DataSource dataSource, String folder, String tables, String prefix) {
        SpringLiquibase liquibase = new SpringLiquibase();
        liquibase.setDataSource(dataSource);
        liquibase.setResourceLoader(new DefaultResourceLoader(LiquibaseTool.class.getClassLoader()));
        liquibase.setChangeLog(CHANGE_LOG);
        liquibase.setChangeLogParameters(
                Map.of("feedkit.folder", folder, "feedkit.tables", tables, "feedkit.prefix", prefix));
        try {
            liquibase.afterPropertiesSet();
        } catch (LiquibaseException e) {
            throw new IllegalStateException("Liquibase cannot create FeedKit's tables: " + e.getMessage(), e);
        }
    }
}
