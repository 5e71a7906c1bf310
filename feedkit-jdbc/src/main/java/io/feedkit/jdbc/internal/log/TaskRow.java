package io.feedkit.jdbc.internal.log;

import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;

/** A row of the table of tasks. */
final class TaskRow {

    /** The columns of a task. */
    static final String COLUMNS =
            "id, kind, author, oldest_at, oldest_id, newest_at, newest_id, entry_version, range_from, range_below,"
                    + " after_id, attempts, outages, outage_since, created_at";

    private static final int ID_LENGTH = 16;

    private TaskRow() {}

    static Task task(ResultSet row) throws SQLException {
        String author = row.getString("author");
        return new Task(
                HexFormat.of().toHexDigits(row.getLong("id")),
                Kind.valueOf(row.getString("kind")),
                new Position(row.getLong("oldest_at"), row.getString("oldest_id"), author),
                new Position(row.getLong("newest_at"), row.getString("newest_id"), author),
                row.getLong("entry_version"),
                new KeyRange(row.getString("range_from"), row.getString("range_below")),
                row.getString("after_id"),
                row.getInt("attempts"),
                new Outage(row.getInt("outages"), row.getLong("outage_since")),
                row.getLong("created_at"));
    }

    static Dead dead(ResultSet row) throws SQLException {
        return new Dead(task(row), row.getString("reason"), row.getLong("ended_at"));
    }

    /** Returns the row's key, unless the id cannot come from this log. */
    static Optional<Long> key(String id) {
        if (id.length() != ID_LENGTH || !id.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        return Optional.of(HexFormat.fromHexDigitsToLong(id));
    }
}
