package io.feedkit.tools.inspect;

import io.lettuce.core.Range;
import java.io.PrintWriter;

/** Shows an author's data: posts, recent-posts cache (head), followers. */
final class AuthorView {

    private static final int HEAD_VERSION = 3;
    private static final int MORE_FOR_DIGITS = 128;

    private final Server server;
    private final PrintWriter out;
    private final int limit;

    AuthorView(Server server, PrintWriter out, int limit) {
        this.server = server;
        this.out = out;
        this.limit = limit;
    }

    void print(String author) {
        String posts = server.ofAuthor("posts", author);
        long deleted = server.ask().zcount(Server.bytes(posts), Range.create(-1, -1));
        out.printf("posts      %s: %d, and %d deleted%n", posts, server.size(posts) - deleted, deleted);
        server.newest(posts, limit).forEach(post -> out.println("  " + post));
        byte[] last = server.get(server.ofAuthor("last", author));
        if (last.length > 0) {
            out.println("  last published " + Stored.time(Long.parseLong(Stored.text(last))));
        }
        head(server.ofAuthor("head", author));
        String followers = server.ofUser("followers", author);
        out.printf("followers  %s: %d%n", followers, server.size(followers));
        server.first(followers, limit).forEach(reader -> out.println("  " + Stored.text(reader)));
    }

    private void head(String key) {
        byte[] head = server.get(key);
        if (head.length == 0) {
            return;
        }
        out.printf("head       %s%s%n", key, server.expiry(key));
        Stored stored = Stored.of(head).version(HEAD_VERSION, key);
        int posts = stored.number();
        for (int i = 0; i < Math.min(limit, posts); i++) {
            out.println("  " + stored.time() + " " + id(stored));
        }
    }

    /** An id of digits alone takes half a byte for each digit. */
    private static String id(Stored stored) {
        int length = stored.number();
        int digits = length - MORE_FOR_DIGITS;
        return digits < 0 ? stored.text(length) : stored.hex((digits + 1) / 2).substring(0, digits);
    }
}
