/**
 * Compatibility kits that a backend runs against its store, and what helps to test with FeedKit.
 *
 * <p>For a backend: the contract of each part of a store is a kit, to be bound in a few lines. Begin with
 * {@link io.feedkit.testkit.InboxCompatibilityKit}, whose description shows how, and
 * {@link io.feedkit.testkit.CompatibilityKit}, which says how the kits deal with time. The tests' names, read in a row,
 * are the specification.
 *
 * <p>For a host: {@link io.feedkit.testkit.SettableClock} lets time pass without waiting, and the interfaces of
 * {@link io.feedkit.testkit.forwarding} change a few calls of a store that otherwise works.
 *
 * <p>The tests themselves are in {@code io.feedkit.testkit.internal}, in a package for each subject.
 */
@NullMarked
package io.feedkit.testkit;

import org.jspecify.annotations.NullMarked;
