package io.feedkit.tools.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Unread;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Marks a part of each feed as seen, so that a known number of posts is unread, and counts the unread posts of all
 * readers. The reader with index {@code i} has seen all posts but the newest {@code i mod 50}. A reader whose feed is
 * not longer than that has seen nothing.
 */
final class UnreadCounts {

    private static final int MOST_UNREAD = 50;
    private static final int READERS_PER_CALL = 1000;

    private final FeedEngine engine;
    private final List<Long> readers;

    /** For readers in ascending order. */
    UnreadCounts(FeedEngine engine, List<Long> readers) {
        this.engine = engine;
        this.readers = readers;
    }

    /** Marks, counts, and returns the SHA-256 of one line {@code reader:count} per reader, in hexadecimal. */
    String digest() {
        for (int i = 0; i < readers.size(); i++) {
            markAllBut(i % MOST_UNREAD, Names.reader(readers.get(i)));
        }
        MessageDigest sha256 = sha256();
        for (int i = 0; i < readers.size(); i += READERS_PER_CALL) {
            List<Long> some = readers.subList(i, Math.min(readers.size(), i + READERS_PER_CALL));
            Map<String, Unread> counts =
                    engine.unread(some.stream().map(Names::reader).toList());
            for (long reader : some) {
                Unread count = counts.getOrDefault(Names.reader(reader), new Unread(0, false));
                sha256.update((reader + ":" + count.count() + "\n").getBytes(US_ASCII));
            }
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    private void markAllBut(int newest, String reader) {
        Optional<Cursor> below = Optional.empty();
        for (int left = newest; left > 0; ) {
            FeedPage<Post> page = engine.read(
                    reader, below.isPresent() ? PageRequest.older(below.get(), left) : PageRequest.first(left));
            left -= page.items().size();
            below = page.older();
            if (below.isEmpty()) {
                return;
            }
        }
        FeedPage<Post> next =
                engine.read(reader, below.isPresent() ? PageRequest.older(below.get(), 1) : PageRequest.first(1));
        if (!next.items().isEmpty()) {
            engine.markSeen(reader, next.newer());
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
