/**
 * The faults that the SQL store survives, on real PostgreSQL processes: killed processes, servers and connections,
 * transactions that conflict or stay open, clocks that differ. Read
 * {@link io.feedkit.jdbc.survival.TerminatedConnectionsTest} first: the other tests use the same parts. The system
 * property {@code feedkit.survival.rounds} multiplies the number of faults.
 */
package io.feedkit.jdbc.survival;
