package io.feedkit.rank;

import io.feedkit.Beta;
import io.feedkit.InvalidCursorException;
import io.feedkit.internal.paging.RankPlace;

/**
 * A place in a ranking, as an opaque text that fits into a URL. It names the stored order of one walk, and how far the
 * walk has come. It is valid for the reader of that walk, as long as the order is stored
 * ({@link io.feedkit.FeedEngineBuilder.ReadSettings#rankSnapshotAge}). A cursor is neither secret nor signed: it shows
 * no posts, and another reader finds nothing with it.
 *
 * <p>Version 1 is base64url of these fields, numbers with the highest byte first:
 *
 * <table>
 * <caption>Fields</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>1</td><td>{@code R}, which begins no {@link io.feedkit.Cursor}</td></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>8</td><td>the name of the stored order, a random number</td></tr>
 * <tr><td>2</td><td>how many posts of the stored order lie before this place</td></tr>
 * <tr><td>4</td><td>CRC-32 of all bytes before</td></tr>
 * </table>
 *
 * @since 0.1.0
 */
@Beta
public final class RankCursor {

    /** The length of a cursor's text. */
    public static final int LENGTH = RankPlace.LENGTH;

    private final RankPlace place;

    private RankCursor(RankPlace place) {
        this.place = place;
    }

    /**
     * Parses the text of a cursor.
     *
     * @param text what {@link #toString()} gave
     * @return the cursor
     * @throws InvalidCursorException if the text is not a cursor of a ranking, or of another version
     */
    public static RankCursor parse(String text) {
        return new RankCursor(RankPlace.parse(text));
    }

    /**
     * The cursor's text.
     *
     * @return {@value #LENGTH} characters of the URL-safe base64 alphabet
     */
    @Override
    public String toString() {
        return place.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankCursor cursor && place.equals(cursor.place);
    }

    @Override
    public int hashCode() {
        return place.hashCode();
    }
}
