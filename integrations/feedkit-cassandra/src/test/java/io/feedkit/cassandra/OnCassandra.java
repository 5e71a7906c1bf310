package io.feedkit.cassandra;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** A test that needs a server. {@link InstalledTest} reports that there can be none. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@EnabledIf("io.feedkit.testservers.CassandraServer#isInstalled")
@Timeout(180)
@interface OnCassandra {}
