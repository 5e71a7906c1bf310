package io.feedkit.tools.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.Post;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A digest of all feeds: SHA-256 of one line {@code reader:id,id,...} per reader. The ids are plain integers. Not
 * thread-safe.
 */
final class FeedDigest {

    private final MessageDigest sha256;

    FeedDigest() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds a feed. Callers add the feeds in ascending order of the readers. */
    void add(long reader, List<Post> feed) {
        StringBuilder line = new StringBuilder().append(reader).append(':');
        String comma = "";
        for (Post post : feed) {
            line.append(comma).append(Names.number(post.id()));
            comma = ",";
        }
        sha256.update(line.append('\n').toString().getBytes(US_ASCII));
    }

    /** The digest of all added feeds, in hexadecimal. */
    String hex() {
        return HexFormat.of().formatHex(sha256.digest());
    }
}
