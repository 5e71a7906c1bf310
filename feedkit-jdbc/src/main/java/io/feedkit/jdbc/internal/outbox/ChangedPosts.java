package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Reads what was appended and deleted since a time, on PostgreSQL. Its {@linkplain UncommittedAppends locks} show open
 * deletions, so that the mark of the outbox is right for both.
 */
final class ChangedPosts {

    private static final ParameterTable AUTHORS = ParameterTable.named("k").text("author");

    private final Database database;
    private final String appended;
    private final String deleted;

    ChangedPosts(Database database) {
        this.database = database;
        String lateral = "SELECT k.i, f.author, f.id%s FROM " + AUTHORS.source(database.dialect())
                + " CROSS JOIN LATERAL (SELECT p.author, p.id, p.published_at FROM ${post} p"
                + " WHERE p.author = k.author AND p.%2$s >= :since"
                + " ORDER BY p.author, p.%2$s DESC LIMIT :limit) f";
        appended = database.sql(lateral.formatted(", f.published_at", "appended_at"));
        deleted = database.sql(lateral.formatted("", "deleted_at"));
    }

    /** The posts at or above a position that were appended since; empty for authors with more than {@code each}. */
    List<Optional<List<Post>>> appended(Handle handle, List<String> authors, long since, Position from, int each) {
        int[] rows = new int[authors.size()];
        List<List<Post>> found = new ArrayList<>();
        authors.forEach(author -> found.add(new ArrayList<>()));
        database.query(handle, appended, AUTHORS.ofIds(authors))
                .bind("since", since)
                .bind("limit", each + 1)
                .map((row, context) -> {
                    int i = row.getInt("i") - 1;
                    rows[i]++;
                    // A tombstone keeps the time of its append.
                    PostRows.known(row)
                            .filter(post -> from.compareOf(post) >= 0)
                            .ifPresent(found.get(i)::add);
                    return i;
                })
                .list();
        List<Optional<List<Post>>> answers = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            answers.add(rows[i] > each ? Optional.empty() : Optional.of(Collections.unmodifiableList(found.get(i))));
        }
        return Collections.unmodifiableList(answers);
    }

    /** The keys that were deleted since; empty if an author may have more than {@code each}. */
    Optional<Set<PostKey>> deleted(Handle handle, Collection<String> authors, long since, int each) {
        int[] rows = new int[authors.size()];
        Set<PostKey> keys = new HashSet<>();
        database.query(handle, deleted, AUTHORS.ofIds(authors))
                .bind("since", since)
                .bind("limit", each + 1)
                .map((row, context) -> {
                    rows[row.getInt("i") - 1]++;
                    return keys.add(PostRows.key(row));
                })
                .list();
        for (int found : rows) {
            if (found > each) {
                return Optional.empty();
            }
        }
        return Optional.of(Collections.unmodifiableSet(keys));
    }
}
