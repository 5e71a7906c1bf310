package io.feedkit.spring.internal.store;

import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import java.util.Arrays;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** Finds the data source of FeedKit's tables among the beans. */
public final class DataSources {

    private static final String PROPERTY = "feedkit.jdbc.data-source";
    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy", DataSources.class.getClassLoader());

    private DataSources() {}

    /**
     * Returns the data source.
     *
     * @return the bean that the property names, or the only or primary one; empty if there is none
     * @throws InvalidSettingException if the property names none, or there are several
     */
    public static Optional<DataSource> find(FeedKitProperties properties, ListableBeanFactory beans) {
        String name = properties.jdbc().dataSource();
        return Optional.ofNullable(name == null ? single(beans) : named(name, beans))
                .map(DataSources::target);
    }

    /** Says that the data source was found, but cannot be used. */
    public static InvalidSettingException unusable(
            FeedKitProperties.Jdbc properties, DataSource dataSource, RuntimeException e) {
        boolean named = properties.dataSource() != null;
        return new InvalidSettingException(
                named ? PROPERTY : "spring.datasource",
                named ? properties.dataSource() : dataSource,
                "the database cannot be used: " + e.getMessage() + ".",
                "Start the database, or correct its address, its user or the rights of the user.",
                e);
    }

    private static DataSource named(String name, ListableBeanFactory beans) {
        try {
            return beans.getBean(name, DataSource.class);
        } catch (NoSuchBeanDefinitionException e) {
            throw new InvalidSettingException(
                    PROPERTY,
                    name,
                    "there is no DataSource bean of this name. " + names(beans),
                    "Set " + PROPERTY + " to the name of the DataSource with FeedKit's tables.",
                    e);
        }
    }

    private static @Nullable DataSource single(ListableBeanFactory beans) {
        try {
            return beans.getBeanProvider(DataSource.class).getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidSettingException(
                    PROPERTY,
                    null,
                    "there are several DataSource beans, and none is primary. " + names(beans),
                    "Set " + PROPERTY + " to one of these names, or mark one bean with @Primary.",
                    e);
        }
    }

    private static String names(ListableBeanFactory beans) {
        return "The DataSource beans are: " + Arrays.toString(beans.getBeanNamesForType(DataSource.class));
    }

    /** FeedKit commits on connections of its own, so it takes the data source behind the proxy. */
    private static DataSource target(DataSource dataSource) {
        if (SPRING_JDBC && dataSource instanceof TransactionAwareDataSourceProxy proxy) {
            DataSource target = proxy.getTargetDataSource();
            return target == null ? dataSource : target;
        }
        return dataSource;
    }
}
