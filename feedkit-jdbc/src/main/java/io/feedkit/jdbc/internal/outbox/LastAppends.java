package io.feedkit.jdbc.internal.outbox;

import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Reads the times of authors' last appends. */
final class LastAppends {

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    private final Database database;
    private final String lastAppended;

    /**
     * Creates the query.
     *
     * @param database the database with the times of appends
     * @param holdsBack whether some of these times may be in the future
     */
    LastAppends(Database database, boolean holdsBack) {
        this.database = database;
        lastAppended =
                database.sql("SELECT k.author, (SELECT p.appended_at FROM ${post} p WHERE p.author = k.author AND "
                        + (holdsBack ? "p.appended_at <= ${now}" : "p.appended_at IS NOT NULL")
                        + " ORDER BY p.author, p.appended_at DESC LIMIT 1) AS answer FROM "
                        + AUTHORS.source(database.dialect()));
    }

    /** Looks up one entry of an index for each author. */
    Map<String, Long> of(Handle handle, Collection<String> authors) {
        Map<String, Long> answers = new HashMap<>();
        database.query(handle, lastAppended, AUTHORS.ofIds(authors))
                .map((row, context) -> Map.entry(row.getString("author"), PostRows.number(row, "answer")))
                .forEach(row -> row.getValue().ifPresent(answer -> answers.put(row.getKey(), answer)));
        return Collections.unmodifiableMap(answers);
    }
}
