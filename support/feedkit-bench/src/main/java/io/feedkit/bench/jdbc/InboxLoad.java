package io.feedkit.bench.jdbc;

/**
 * Live inboxes, and for each a row of the same reader in a hand-made table.
 *
 * @param from the number of the first reader
 * @param below the number after the last
 * @param least the smallest number of entries of an inbox
 * @param spread the exclusive bound of the number of further entries
 */
record InboxLoad(int from, int below, int least, int spread) {

    private static final String PRIMARY_KEY = "PRIMARY KEY (reader, published_at, id, author)";
    private static final String ENTRY = "reader varchar(64) COLLATE \"C\" NOT NULL, published_at bigint NOT NULL,"
            + " id varchar(64) COLLATE \"C\" NOT NULL, author varchar(64) COLLATE \"C\" NOT NULL, ";
    private static final long BEFORE = 1_000_000_000L;
    private static final long WINDOW_MILLIS = 7L * 24 * 3600 * 1000;

    static void createHandMade(BenchDatabase database) {
        database.createTable(
                "hand_inbox", "(reader varchar(64) COLLATE \"C\" NOT NULL PRIMARY KEY, ends_at bigint NOT NULL)");
        database.createTable("hand_entry", "(" + ENTRY + PRIMARY_KEY + ")");
    }

    void into(BenchDatabase database) {
        String now = Long.toString(System.currentTimeMillis());
        String readers = "generate_series(" + from + ", " + (below - 1) + ") n";
        String reader = FollowLoad.user("n");
        String entries = least + " + n % " + spread;
        database.run("INSERT INTO ${inbox} SELECT " + reader + ", 'LIVE', 1 + n, 1, " + now + " + " + WINDOW_MILLIS
                + ", 0, " + now + ", " + now + ", 0, 0, '', '', " + entries + " FROM " + readers);
        database.run("INSERT INTO ${inbox_entry} SELECT " + reader + ", " + now + " - " + BEFORE
                + " + 1000 * e, lpad(e::text, 18, '0'), 'author' || e % 50 FROM " + readers + ", generate_series(1, "
                + entries
                + ") e ORDER BY n, e");
        database.run("INSERT INTO ${hand_inbox} SELECT reader, ends_at FROM ${inbox} WHERE reader >= "
                + FollowLoad.user("" + from) + " AND reader < " + FollowLoad.user("" + below));
        database.run(
                "INSERT INTO ${hand_entry} SELECT * FROM ${inbox_entry} WHERE reader >= " + FollowLoad.user("" + from)
                        + " AND reader < " + FollowLoad.user("" + below) + " ORDER BY reader, published_at");
    }
}
