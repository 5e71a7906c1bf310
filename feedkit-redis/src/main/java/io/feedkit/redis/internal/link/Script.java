package io.feedkit.redis.internal.link;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script among the resources, behind what all of them begin with.
 *
 * @param body its text
 * @param digest what the server knows it by, once it has seen the text
 * @param answer the type of its answers
 */
public record Script(String body, String digest, ScriptOutputType answer) {

    private static final String COMMON = "common";

    /** Reads a script. */
    public static Script named(String name, ScriptOutputType answer) {
        String body = resource(COMMON) + resource(name);
        return new Script(body, sha1(body), answer);
    }

    private static String resource(String name) {
        String path = "/feedkit-redis/" + name + ".lua";
        try (InputStream content = Script.class.getResourceAsStream(path)) {
            if (content == null) {
                throw new IllegalStateException("missing resource " + path);
            }
            return new String(content.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
