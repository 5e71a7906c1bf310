package io.feedkit.jdbc.internal.register;

import io.feedkit.PostKey;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister.Entry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of the register: a pulled author, a post being retracted, or an author or post that left.
 *
 * @param author the author
 * @param id the post's id, or null in a row about the author
 * @param entry the author's entry, or null
 * @param left whether it left the register
 * @param changed when it changed, by the clock of a database that has no numbers of transactions
 */
record RegisterRow(
        String author, @Nullable String id, @Nullable Entry entry, boolean left, long changed) {

    /** The columns of a query that are mapped here. */
    static final String PULLED =
            "SELECT 1 AS kind, author, NULL AS id, version, oldest_at, oldest_id, newest_at, newest_id%s FROM %s";

    static final String RETRACTING =
            "SELECT 2, author, id, 0, CAST(NULL AS %1$s), NULL, CAST(NULL AS %1$s), NULL%2$s FROM %3$s";

    static final String LEFT =
            "SELECT 3, author, id, 0, CAST(NULL AS %1$s), NULL, CAST(NULL AS %1$s), NULL%2$s FROM %3$s";

    /** A row with the moment instead: texts in place of author and id, and a time in place of the version. */
    private static final int MOMENT_KIND = 0;

    private static final int LEFT_KIND = 3;

    static RegisterRow of(ResultSet row, boolean withTime) throws SQLException {
        String author = row.getString("author");
        String id = row.getString("id");
        int kind = row.getInt("kind");
        Entry entry = kind == 1
                ? new Entry(
                        new Position(row.getLong("oldest_at"), row.getString("oldest_id"), author),
                        new Position(row.getLong("newest_at"), row.getString("newest_id"), author),
                        row.getLong("version"))
                : null;
        long changed = kind == MOMENT_KIND ? row.getLong("version") : withTime ? row.getLong("changed") : 0;
        return new RegisterRow(author, id, entry, kind == LEFT_KIND, changed);
    }

    Optional<PostKey> post() {
        return Optional.ofNullable(id).map(each -> new PostKey(author, each));
    }
}
