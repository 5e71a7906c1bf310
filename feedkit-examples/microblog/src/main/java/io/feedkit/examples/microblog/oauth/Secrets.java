package io.feedkit.examples.microblog.oauth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.security.crypto.keygen.StringKeyGenerator;

/** Random texts that clients hold, and what the database has of them. */
final class Secrets {

    private static final int BYTES = 32;
    private static final StringKeyGenerator RANDOM =
            new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), BYTES);

    private Secrets() {}

    static String random() {
        return RANDOM.generateKey();
    }

    /** A random secret needs no salt, because it cannot be guessed. */
    static String hash(String secret) {
        return HexFormat.of().formatHex(sha256(secret));
    }

    /** What PKCE's method S256 makes of a verifier. */
    static String challenge(String verifier) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(verifier));
    }

    /** Compares in constant time. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }
}
