/** Sequences, marks and members of sets in SQL. A step locks the cells it changes, in one order, and computes on what it then reads. */
@NullMarked
package io.feedkit.jdbc.internal.counter;

import org.jspecify.annotations.NullMarked;
