package io.feedkit.cassandra.internal;

import java.util.List;

/**
 * A keyspace that passed the check.
 *
 * @param statements the prepared statements
 * @param dangers a sentence for each setting that endangers the copies
 */
public record CheckedKeyspace(CopyStatements statements, List<String> dangers) {

    /** Copies the dangers. */
    public CheckedKeyspace {
        dangers = List.copyOf(dangers);
    }
}
