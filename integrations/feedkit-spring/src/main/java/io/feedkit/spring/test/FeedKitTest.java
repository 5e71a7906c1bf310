package io.feedkit.spring.test;

import io.feedkit.Beta;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of code that uses FeedKit, without database and Redis: the context has the {@link io.feedkit.FeedEngine} on a
 * store in memory, counters in memory, and no other auto-configuration. Components are not scanned; name the tested
 * ones with {@code @Import}.
 *
 * <p>A {@link io.feedkit.testkit.SettableClock} bean stands still until the test moves it. The engine has no workers:
 * posts reach inboxes when the test calls {@code feed.fanout().drain()}. Tests of one class share the store. Needs
 * {@code feedkit-testkit}.
 *
 * @since 0.1.0
 */
@Beta
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(SpringBootTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@ImportAutoConfiguration
public @interface FeedKitTest {}
