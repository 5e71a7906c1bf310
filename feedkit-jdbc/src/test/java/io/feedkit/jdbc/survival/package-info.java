/**
 * What the SQL store survives, on real PostgreSQL processes: processes, servers and connections that are killed,
 * transactions that conflict or stay open, clocks that differ. Read
 * {@link io.feedkit.jdbc.survival.TerminatedConnectionsTest} first: the others are made of the same parts. The system
 * property {@code feedkit.survival.rounds} multiplies how often each fault is made.
 */
package io.feedkit.jdbc.survival;
