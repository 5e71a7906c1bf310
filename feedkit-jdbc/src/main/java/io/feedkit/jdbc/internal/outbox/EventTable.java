package io.feedkit.jdbc.internal.outbox;

import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.queue.PostEvent;

/** Statements that record post events together with the writes of posts. */
final class EventTable {

    private EventTable() {}

    /**
     * Returns a statement that records events of posts.
     *
     * @param type the type of the events
     * @param posts a FROM clause with the columns {@code author}, {@code id} and {@code published_at}
     * @param time an expression of the time of recording
     */
    static String insert(Dialect dialect, PostEvent.Type type, String posts, String time) {
        return "INSERT INTO ${post_event} (aggregateid, type, payload, post_id, published_at, recorded_at, due_at)"
                + " SELECT author, '" + name(type) + "', " + payload(dialect) + ", id, published_at, " + time + ", "
                + time + " FROM " + posts;
    }

    /** Returns a part of a WITH clause that records events of posts, on PostgreSQL. */
    static String with(PostEvent.Type type, String posts, String time) {
        return ", e AS (" + insert(Dialect.POSTGRESQL, type, posts, time) + ")";
    }

    static String name(PostEvent.Type type) {
        return switch (type) {
            case CREATED -> "post.created";
            case DELETED -> "post.deleted";
        };
    }

    static PostEvent.Type type(String name) {
        return name.equals(name(PostEvent.Type.CREATED)) ? PostEvent.Type.CREATED : PostEvent.Type.DELETED;
    }

    private static String payload(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL ->
                "CAST(json_build_object('author', author, 'id', id, 'publishedAt', published_at) AS varchar)";
            case H2 ->
                "CAST(JSON_OBJECT(KEY 'author' VALUE author, KEY 'id' VALUE id,"
                        + " KEY 'publishedAt' VALUE published_at) AS varchar)";
            case MYSQL, MARIADB -> "JSON_OBJECT('author', author, 'id', id, 'publishedAt', published_at)";
        };
    }
}
