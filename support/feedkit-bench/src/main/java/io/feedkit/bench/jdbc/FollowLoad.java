package io.feedkit.bench.jdbc;

/** Follow rows, loaded directly. Followers are the users from 1 on, in the order of their ids. */
public final class FollowLoad {

    private FollowLoad() {}

    /** The id of a user, as a SQL expression of a number. */
    static String user(String number) {
        return "'u' || lpad((" + number + ")::text, 9, '0')";
    }

    /** The id of a user. */
    static String user(int number) {
        return String.format("u%09d", number);
    }

    /** Makes the first users follow an author who had no followers. */
    public static void follow(BenchDatabase database, String author, int followers) {
        database.run("INSERT INTO ${follow} (reader, author) SELECT %s, '%s' FROM generate_series(1, %d) n"
                .formatted(user("n"), author, followers));
        database.run(("INSERT INTO ${follow_count} AS c (user_id, followers, followees) SELECT %s, 0, 1 FROM "
                                + "generate_series(1, %d) n")
                        .formatted(user("n"), followers)
                + " ON CONFLICT (user_id) DO UPDATE SET followees = c.followees + 1");
        database.run("INSERT INTO ${follow_count} (user_id, followers, followees) VALUES ('%s', %d, 0)"
                .formatted(author, followers));
    }
}
