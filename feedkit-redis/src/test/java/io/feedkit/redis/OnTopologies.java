package io.feedkit.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a parametrised class on the one server of every build. With the tag {@code matrix} it runs on the other
 * {@linkplain Topology topologies} of the installed programs.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ArgumentsSource(Topologies.class)
@interface OnTopologies {

    /** Whether the class tests whole feeds. These run on fewer topologies. */
    boolean wholeFeeds() default false;
}
