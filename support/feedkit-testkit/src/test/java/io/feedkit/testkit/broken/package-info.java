/**
 * The proof that the kits are worth something: stores that break the contract in one way each, and a test that every
 * one of them is caught. {@link io.feedkit.testkit.broken.BrokenStoresTest} runs the kits; the tables of mutants name
 * the test that must fail.
 */
@NullMarked
package io.feedkit.testkit.broken;

import org.jspecify.annotations.NullMarked;
