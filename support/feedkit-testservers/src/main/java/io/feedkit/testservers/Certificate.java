package io.feedkit.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;

/**
 * A self-signed certificate, valid for a day, and its key. The JDK's {@code keytool} creates them in a temporary
 * directory. Immutable and thread-safe.
 */
public final class Certificate implements AutoCloseable {

    private static final String PASSWORD = "secret";
    private static final String NAME = "server";
    private static final int LIMIT_SECONDS = 60;

    private final Path home;
    private final KeyStore keys;

    private Certificate(Path home, KeyStore keys) {
        this.home = home;
        this.keys = keys;
    }

    /**
     * Creates a certificate.
     *
     * @param owner the owner, such as {@code ip:127.0.0.1} or {@code dns:feeds.internal}
     * @return the certificate
     * @throws IllegalStateException if {@code keytool} fails
     */
    public static Certificate of(String owner) {
        Path home = Directories.temporary("certificate");
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            Certificate certificate = new Certificate(home, keys);
            generate(owner, certificate.keyStore());
            try (InputStream in = Files.newInputStream(certificate.keyStore())) {
                keys.load(in, PASSWORD.toCharArray());
            }
            certificate.writeTrustStore();
            return certificate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot read the certificate that keytool created", e);
        }
    }

    /**
     * Returns a file with the certificate, for clients that trust it.
     *
     * @return a PKCS12 key store
     */
    public Path trustStore() {
        return home.resolve("trust.p12");
    }

    /**
     * Returns the password of the {@link #trustStore()}.
     *
     * @return the password
     */
    public String password() {
        return PASSWORD;
    }

    /** A file with the certificate and its key, for a server of its own. */
    Path keyStore() {
        return home.resolve("keys.p12");
    }

    /** Returns a factory of server sockets that present this certificate. */
    SSLServerSocketFactory sockets() {
        try {
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context.getServerSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate cannot be used by a server socket", e);
        }
    }

    /** Writes PEM files, for servers that are not written in Java. */
    void writePem(Path certificate, Path key) throws IOException {
        try {
            write(
                    certificate,
                    "CERTIFICATE",
                    Optional.ofNullable(keys.getCertificate(NAME)).orElseThrow().getEncoded());
            write(key, "PRIVATE KEY", keys.getKey(NAME, PASSWORD.toCharArray()).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate cannot be written", e);
        }
    }

    private static void write(Path file, String what, byte[] encoded) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                        + "\n-----END " + what + "-----\n");
    }

    /** Deletes the files. */
    @Override
    public void close() {
        Directories.delete(home);
    }

    private void writeTrustStore() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                NAME, Optional.ofNullable(keys.getCertificate(NAME)).orElseThrow());
        try (OutputStream out = Files.newOutputStream(trustStore())) {
            trusted.store(out, PASSWORD.toCharArray());
        }
    }

    private static void generate(String owner, Path file) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        NAME,
                        "-keyalg",
                        "EC",
                        "-validity",
                        "1",
                        "-dname",
                        "CN=feedkit",
                        "-ext",
                        "san=" + owner,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("keytool failed: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool was running", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
