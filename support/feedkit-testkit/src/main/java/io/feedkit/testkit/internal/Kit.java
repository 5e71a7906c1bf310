package io.feedkit.testkit.internal;

import java.time.Duration;

/** A kit as its rules see it; {@code CompatibilityKit} describes each method. */
public interface Kit {

    void pass(Duration duration);

    long now();

    Duration shortTime();

    Duration longTime();

    boolean waits();

    int threads();

    int rounds();

    /** Lets the clock show another millisecond. */
    default void tick() {
        pass(Duration.ofMillis(2));
    }

    /** Lets a lease, window or delay of {@link #shortTime()} run out. */
    default void outlast() {
        pass(shortTime().plusMillis(2));
    }

    /** Lets more than half of {@link #shortTime()} pass: two such calls exceed it. */
    default void passMostOfShortTime() {
        pass(shortTime().multipliedBy(6).dividedBy(10));
    }
}
