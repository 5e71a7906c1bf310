/**
 * Tests of the SQL stores: the kits on every database ({@code *CompatibilityTest}), and what only SQL can get wrong.
 */
package io.feedkit.jdbc;
