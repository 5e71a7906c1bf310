/**
 * Compatibility kits that a backend runs against its store, and helpers for tests with FeedKit.
 *
 * <p>For a backend: a kit tests the contract of each part of a store, and is bound in a few lines. Begin with
 * {@link io.feedkit.testkit.InboxCompatibilityKit}, whose description shows how, and
 * {@link io.feedkit.testkit.CompatibilityKit}, which explains how the kits handle time. The names of the tests are the
 * specification.
 *
 * <p>For a host: {@link io.feedkit.testkit.TestFeed} gives each test an engine in memory, and
 * {@link io.feedkit.testkit.SettableClock} lets time pass without waiting. With the interfaces of
 * {@link io.feedkit.testkit.forwarding}, a test changes a few calls of a working store.
 *
 * <p>The tests themselves are in {@code io.feedkit.testkit.internal}, in a package for each subject.
 */
@NullMarked
package io.feedkit.testkit;

import org.jspecify.annotations.NullMarked;
