package io.feedkit.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Gives a parametrised class or test the Redis of every build; with the tag {@code matrix} the other programs that are installed. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ArgumentsSource(Programs.class)
public @interface OnPrograms {}
