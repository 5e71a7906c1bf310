package io.feedkit.redis.internal.call;

import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A Lua script of the resources, preceded by the parts that it shares with other scripts.
 *
 * @param body its text
 * @param digest its SHA-1, by which a server finds the script after it has received the text
 * @param answer reads the answer
 * @param <T> the type of the answer
 */
public record Script<T>(String body, String digest, Call.Output<T> answer) {

    private static final String COMMON = "common";

    /** A script that answers with a number. */
    public static Script<Long> number(String... parts) {
        return of(IntegerOutput::new, parts);
    }

    /** A script that answers with bytes. */
    public static Script<byte[]> bytes(String... parts) {
        return of(ValueOutput::new, parts);
    }

    /** A script that answers with a list of bytes, numbers and lists. */
    public static Script<List<Object>> list(String... parts) {
        return of(ArrayOutput::new, parts);
    }

    /** A call of the script. */
    public Call<T> on(List<byte[]> keys, List<byte[]> arguments) {
        return Call.of(this, keys, arguments);
    }

    private static <T> Script<T> of(Call.Output<T> answer, String... parts) {
        StringBuilder body = new StringBuilder(resource(COMMON));
        for (String part : parts) {
            body.append(resource(part));
        }
        return new Script<>(body.toString(), sha1(body.toString()), answer);
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
