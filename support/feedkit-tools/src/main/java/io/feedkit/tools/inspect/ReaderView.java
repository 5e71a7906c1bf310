package io.feedkit.tools.inspect;

import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Shows a reader's data: inbox, unfinished follows, followees, mark. */
final class ReaderView {

    private final Server server;
    private final PrintWriter out;
    private final int limit;

    ReaderView(Server server, PrintWriter out, int limit) {
        this.server = server;
        this.out = out;
        this.limit = limit;
    }

    void print(String reader) {
        inbox(server.ofUser("inbox", reader));
        pendingFollows(server.ofUser("notes", reader));
        String followees = server.ofUser("followees", reader);
        out.printf("followees  %s: %d%n", followees, server.size(followees));
        server.first(followees, limit).forEach(author -> out.println("  " + Stored.text(author)));
        server.hash(server.ofUser("edges", reader)).forEach((author, version) -> {
            if (author[0] != ' ') {
                out.println("  unfinished change: " + Stored.text(author) + ", version " + Stored.text(version));
            }
        });
        String seen = server.ofUser("seen", reader);
        byte[] mark = server.get(seen);
        out.printf(
                "seen       %s: %s%n",
                seen,
                mark.length == 0
                        ? "nothing"
                        : seen(SeenPosts.of(Stored.of(mark).version(2, seen).rest())));
    }

    private static String seen(SeenPosts posts) {
        Position place = posts.upTo();
        return "%d listed, and all up to %s %s/%s"
                .formatted(posts.size(), Stored.time(place.millis()), place.author(), place.id());
    }

    private void inbox(String key) {
        byte[] header = server.ask().lindex(Server.bytes(key), 0);
        if (header == null) {
            out.printf("inbox      %s: none%n", key);
            return;
        }
        Stored stored = Stored.of(header);
        if (stored.number() != 0xFF) {
            throw new IllegalStateException("cannot read " + key + ": it is not an inbox");
        }
        char state = stored.version(key).letter();
        boolean hasPending = stored.letter() == '1';
        out.printf("inbox      %s: %s%n", key, state == 'L' ? "live" : "building");
        out.printf(
                "  generation %s, epoch %s%s%n",
                stored.hex(8), stored.hex(8), hasPending ? ", with pending follows" : "");
        String leased = stored.time();
        if (state == 'B') {
            out.println("  leased until " + leased);
        }
        out.printf("  renewed %s, live until %s%s%n", stored.time(), stored.time(), server.expiry(key));
        out.println("  mark " + stored.number(8));
        out.println("  followees' checksum " + Long.toHexString(stored.number(8)));
        out.println("  complete " + floor(stored.rest()));
        long entries = server.ask().llen(Server.bytes(key)) - 1;
        out.printf("  entries %d%s%n", entries, entries > limit ? ", of which the newest " + limit + ":" : "");
        List<byte[]> newest =
                entries == 0 ? List.of() : server.ask().lrange(Server.bytes(key), -Math.min(entries, limit), -1);
        for (int i = newest.size() - 1; i >= 0; i--) {
            out.println("    " + Stored.position(newest.get(i)));
        }
    }

    private static String floor(byte[] record) {
        String position = Stored.position(record);
        return switch (position) {
            case "from 1970-01-01T00:00:00Z" -> "down to the beginning";
            case "above all" -> "for no posts";
            default -> "down to " + position;
        };
    }

    private void pendingFollows(String key) {
        Map<byte[], byte[]> follows = server.hash(key);
        if (!follows.isEmpty()) {
            out.printf("pending    %s%n", key);
        }
        follows.forEach((field, value) -> {
            String name = Stored.text(field);
            out.println(
                    name.equals(" epoch")
                            ? "  epoch " + Stored.of(value).version(key).hex(8)
                            : "  unfinished follow: " + name + ", token "
                                    + Stored.of(value).hex(8));
        });
    }
}
