package io.feedkit.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Gives a parametrised class the one server of every build; in a class with the tag {@code matrix} all other {@linkplain Topology topologies}, of the programs that are installed. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ArgumentsSource(Topologies.class)
@interface OnTopologies {}
