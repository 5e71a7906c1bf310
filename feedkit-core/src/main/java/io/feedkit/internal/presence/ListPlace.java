package io.feedkit.internal.presence;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.InvalidRequestException;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.PresenceStore.Seen;
import java.util.Base64;

/** A place in the list of readers who are online, as text: base64url of the time, a space and the reader. */
final class ListPlace {

    private static final int MOST_DIGITS = 18;

    /** The text of the longest time and the longest id. */
    private static final int MOST_CHARACTERS = (MOST_DIGITS + 1 + Ids.MAX_LENGTH + 2) / 3 * 4;

    private ListPlace() {}

    static String format(Seen place) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((place.lastSeen() + " " + place.reader()).getBytes(US_ASCII));
    }

    static Seen parse(String after) {
        Arguments.nonNull("after", after);
        try {
            if (after.length() > MOST_CHARACTERS) {
                throw new IllegalArgumentException();
            }
            String text = new String(Base64.getUrlDecoder().decode(after), US_ASCII);
            int space = text.indexOf(' ');
            String time = text.substring(0, Math.max(0, space));
            if (!time.matches("[0-9]{1," + MOST_DIGITS + "}")) {
                throw new IllegalArgumentException();
            }
            return new Seen(Ids.require("after", text.substring(space + 1)), Long.parseLong(time));
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "after must be the next of a page of online readers, but is " + Ids.printable(after));
        }
    }
}
