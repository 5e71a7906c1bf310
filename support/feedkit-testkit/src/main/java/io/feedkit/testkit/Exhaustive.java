package io.feedkit.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks the tests of a kit that go through all cases: every two operations interleaved at every call, every seed. They
 * carry the JUnit tag {@value #TAG}. Beside each of them stands an untagged test that runs a fixed sample of its cases,
 * spread over all of them. A build whose store is slow can leave the tag out, and run it elsewhere.
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
     * The tag of exhaustive tests that change what the engine does more than what a store does: further fan-out
     * policies, callbacks of the host that throw. They are worth their time on one store.
     */
    String ENGINE = "engine";
}
