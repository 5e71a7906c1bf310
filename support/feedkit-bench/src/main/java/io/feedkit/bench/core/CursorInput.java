package io.feedkit.bench.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import java.util.Base64;

/** A cursor of an ordinary post, and an equivalent written by hand: no version, no check. */
public final class CursorInput {

    private static final Post POST = Post.of("author-12345", "1234567890123456789", 1_700_000_000_000L);

    private final Cursor cursor;
    private final String text;
    private final String plainText;

    private CursorInput(Cursor cursor) {
        this.cursor = cursor;
        this.text = cursor.toString();
        this.plainText = plainPrint();
    }

    /**
     * Takes a cursor from an engine.
     *
     * @return the input
     */
    public static CursorInput create() {
        try (FeedEngine engine = FeedEngine.inMemory().workers(0).build()) {
            engine.publish(POST);
            return new CursorInput(
                    engine.readAuthor(POST.author(), PageRequest.first(1)).newer());
        }
    }

    /**
     * Prints the cursor.
     *
     * @return its text
     */
    public String print() {
        return cursor.toString();
    }

    /**
     * Parses the cursor.
     *
     * @return a cursor
     */
    public Cursor parse() {
        return Cursor.parse(text);
    }

    /**
     * Prints the same by hand.
     *
     * @return base64 of a joined string
     */
    public String plainPrint() {
        String joined = POST.publishedAt().toEpochMilli() + " " + POST.id() + " " + POST.author();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(joined.getBytes(ISO_8859_1));
    }

    /**
     * Parses the same by hand.
     *
     * @return a post
     */
    public Post plainParse() {
        String[] parts = new String(Base64.getUrlDecoder().decode(plainText), ISO_8859_1).split(" ", -1);
        return Post.of(parts[2], parts[1], Long.parseLong(parts[0]));
    }
}
