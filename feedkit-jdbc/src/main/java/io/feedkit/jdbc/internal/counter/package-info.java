/**
 * Sequences, marks and members of sets in SQL. Read {@link io.feedkit.jdbc.internal.counter.CounterTransactions} first:
 * it runs each call as one transaction. {@code CellWrites} and {@code MemberWrites} compute under locks;
 * {@code CounterReader} reads; the tables are {@code CellTable}, {@code MemberTable}, {@code OperationTable} and
 * {@code TicketTable}; {@code WriteBehindTable} takes the writes of a cache.
 */
@NullMarked
package io.feedkit.jdbc.internal.counter;

import org.jspecify.annotations.NullMarked;
