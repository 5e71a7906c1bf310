package io.feedkit.examples.redis;

import io.lettuce.core.Range;
import java.io.PrintWriter;

/** What there is of an author: outbox, head, followers. */
final class AuthorView {

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
        Stored stored = Stored.of(head).version(key);
        for (int i = 0; i < limit && stored.hasMore(); i++) {
            out.println("  " + stored.time() + " " + stored.text(stored.number()));
        }
    }
}
