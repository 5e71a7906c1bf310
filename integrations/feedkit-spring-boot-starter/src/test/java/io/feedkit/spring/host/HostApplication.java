package io.feedkit.spring.host;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** An application with everything on its class path; each test says what of it is configured. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class HostApplication {

    /** The names of a class in Spring Boot 4 and 3.5. */
    static final String NO_DATA_SOURCE = "org.springframework.boot.jdbc.autoconfigure."
            + "DataSourceAutoConfiguration,org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration";

    private static final String NO_REDIS =
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
                    + "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration";

    /** What needs a single data source. */
    static final String JOOQ = "org.springframework.boot.jooq.autoconfigure.JooqAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.jooq.JooqAutoConfiguration";

    /** Without a data source, Redis and migrations. */
    static final String[] NOTHING = {
        "spring.autoconfigure.exclude=" + NO_DATA_SOURCE + "," + NO_REDIS,
        "spring.flyway.enabled=false",
        "spring.liquibase.enabled=false",
        "spring.main.web-application-type=none"
    };

    /** With H2 in memory, and neither Redis nor migrations. */
    static final String[] SQL = {
        "spring.autoconfigure.exclude=" + NO_REDIS,
        "spring.flyway.enabled=false",
        "spring.liquibase.enabled=false",
        "spring.jpa.hibernate.ddl-auto=create",
        "spring.main.web-application-type=none"
    };

    /** As {@link #SQL}, without JPA: Spring Boot then makes a DataSourceTransactionManager. */
    static final String[] SQL_WITHOUT_JPA = {
        "spring.autoconfigure.exclude=" + NO_REDIS
                + ",org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
                + ",org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
        "spring.data.jpa.repositories.enabled=false",
        "spring.flyway.enabled=false",
        "spring.liquibase.enabled=false",
        "spring.main.web-application-type=none"
    };

    static ApplicationContextRunner runner(String... properties) {
        return new ApplicationContextRunner()
                .withUserConfiguration(HostApplication.class)
                .withPropertyValues(properties);
    }
}
