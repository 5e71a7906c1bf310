package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Gives a parametrised class or test the {@linkplain Kind databases} of the default build, or the
 * installed ones of the full build in a class with the tag {@code matrix}. With
 * {@code -Dfeedkit.test.databases=MARIADB} it gets the named ones instead.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ArgumentsSource(Databases.class)
public @interface OnDatabases {

    /** The databases that the test does not apply to. */
    Kind[] without() default {};

    /** The databases of the default build on which the full build runs all cases of a kit; by default, all of them. */
    Kind[] allCases() default {TestDatabase.Kind.H2, TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB};
}
