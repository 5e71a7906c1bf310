/**
 * Building blocks of tests that make faults on a backend's real server while feeds are in use. Read
 * {@link io.feedkit.testservers.survival.Scenario} first: engines, publishers that repeat failed calls, and a monitor.
 * The test makes faults, and the feeds are compared with the oracle's at the end. The system property
 * {@code feedkit.survival.rounds} multiplies how often each fault is made.
 */
@NullMarked
package io.feedkit.testservers.survival;

import org.jspecify.annotations.NullMarked;
