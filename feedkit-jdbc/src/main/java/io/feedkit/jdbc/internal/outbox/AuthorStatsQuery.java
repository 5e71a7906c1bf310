package io.feedkit.jdbc.internal.outbox;

import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** What is asked about whole outboxes: a number for each author, if there is one. */
final class AuthorStatsQuery {

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    private final Database database;
    private final String counts;
    private final String lastAppended;

    /** Counts what is read, and knows from the ledger when it was appended. */
    AuthorStatsQuery(Database reading, Database ledger) {
        this.database = ledger;
        counts = about(
                reading, "SELECT count(*) FROM ${post} p WHERE p.author = k.author AND p.published_at IS NOT NULL");
        lastAppended = about(
                ledger,
                "SELECT p.appended_at FROM ${post} p WHERE p.author = k.author AND p.appended_at IS NOT NULL"
                        + " ORDER BY p.author, p.appended_at DESC LIMIT 1");
    }

    private static String about(Database database, String each) {
        return database.sql("SELECT k.author, (" + each + ") AS answer FROM " + AUTHORS.source(database.dialect()));
    }

    /** Reads all the posts' entries in an index. */
    Map<String, Long> counts(Handle handle, Collection<String> authors) {
        Map<String, Long> answers = answers(handle, counts, authors);
        answers.values().removeIf(count -> count == 0);
        return Collections.unmodifiableMap(answers);
    }

    /** Looks one entry of an index up for each author. */
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
