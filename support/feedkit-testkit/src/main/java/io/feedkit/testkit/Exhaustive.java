package io.feedkit.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks the tests of a kit that go through all cases: all pairs of operations interleaved at every call, all seeds.
 * They carry the JUnit tag {@value #TAG}. For each of them there is an untagged test that runs a fixed sample of its
 * cases, spread over all of them. A build with a slow store can exclude the tag, and run these tests elsewhere.
 *
 * @since 0.1.0
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Tag(Exhaustive.TAG)
public @interface Exhaustive {

    /** The tag's name. */
    String TAG = "exhaustive";

    /**
     * The tag of exhaustive tests that vary the engine rather than the store: further fan-out policies, callbacks of
     * the host that throw. It is enough to run them on one store.
     */
    String ENGINE = "engine";
}
