/**
 * Tests of the SQL stores: the kits on every database ({@code *CompatibilityTest}), and tests of SQL's own risks.
 */
package io.feedkit.jdbc;
