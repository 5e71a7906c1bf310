package io.feedkit.jdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Gives a parametrised class or test the {@linkplain TestDatabase.Kind databases} of the default build, or the
 * installed ones of the full build in a class with the tag {@code matrix}.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ArgumentsSource(Databases.class)
public @interface OnDatabases {

    /** The databases that the test does not apply to. */
    TestDatabase.Kind[] without() default {};

    /** Databases of the default build on which the full build runs the test instead. */
    TestDatabase.Kind[] also() default {};
}
