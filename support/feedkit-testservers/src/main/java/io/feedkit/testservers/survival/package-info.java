/**
 * What tests of a backend on a real server are made of that break something while feeds are in use. Read
 * {@link io.feedkit.testservers.survival.Scenario} first: engines at work, publishers who do not give up and an
 * monitor, to whom a test does something, and whose feeds are compared with the oracle's in the end. The system
 * property {@code feedkit.survival.rounds} multiplies how often each fault is made.
 */
@NullMarked
package io.feedkit.testservers.survival;

import org.jspecify.annotations.NullMarked;
