package io.feedkit.jdbc.internal.outbox;

import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Reads a number for each author about the author's whole outbox. */
final class AuthorStatsQuery {

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    private final Database database;
    private final String counts;
    private final String lastAppended;

    /**
     * Creates the query.
     *
     * @param reading the database whose {@code post} is the table that posts are read from
     * @param database the database with the times of appends
     * @param holdsBack whether some of these times may be in the future
     */
    AuthorStatsQuery(Database reading, Database database, boolean holdsBack) {
        this.database = database;
        counts = about(
                reading, "SELECT count(*) FROM ${post} p WHERE p.author = k.author AND p.published_at IS NOT NULL");
        lastAppended = about(
                database,
                "SELECT p.appended_at FROM ${post} p WHERE p.author = k.author AND "
                        + (holdsBack ? "p.appended_at <= ${now}" : "p.appended_at IS NOT NULL")
                        + " ORDER BY p.author, p.appended_at DESC LIMIT 1");
    }

    private static String about(Database database, String each) {
        return database.sql("SELECT k.author, (" + each + ") AS answer FROM " + AUTHORS.source(database.dialect()));
    }

    /** Returns the numbers of posts. This reads all posts of each author in an index. */
    Map<String, Long> counts(Handle handle, Collection<String> authors) {
        Map<String, Long> answers = answers(handle, counts, authors);
        answers.values().removeIf(count -> count == 0);
        return Collections.unmodifiableMap(answers);
    }

    /** Returns the times of the last appends. This looks up one entry of an index for each author. */
    Map<String, Long> lastAppended(Handle handle, Collection<String> authors) {
        return Collections.unmodifiableMap(answers(handle, lastAppended, authors));
    }

    private Map<String, Long> answers(Handle handle, String sql, Collection<String> authors) {
        ParameterTable.Rows rows = AUTHORS.fill();
        authors.stream().distinct().forEach(rows::add);
        Map<String, Long> answers = new HashMap<>();
        database.query(handle, sql, rows)
                .map((row, context) -> Map.entry(row.getString("author"), PostRows.number(row, "answer")))
                .forEach(row -> row.getValue().ifPresent(answer -> answers.put(row.getKey(), answer)));
        return answers;
    }
}
