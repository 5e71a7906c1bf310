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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;

/**
 * A certificate that nobody has signed but its owner, for a day, and its key. The JDK's {@code keytool} makes them, in
 * a temporary directory. Immutable and thread-safe.
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
     * Makes a certificate.
     *
     * @param owner whom it is for, {@code ip:127.0.0.1} or {@code dns:feeds.internal} say
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
            throw new IllegalStateException("keytool made no certificate that can be read", e);
        }
    }

    /**
     * Gives a file with the certificate, for those who are to trust it.
     *
     * @return a PKCS12 key store
     */
    public Path trustStore() {
        return home.resolve("trust.p12");
    }

    /**
     * Gives the password of the {@link #trustStore()}.
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

    /** Makes sockets of a server that shows this certificate. */
    SSLServerSocketFactory sockets() {
        try {
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context.getServerSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate cannot be shown", e);
        }
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
                throw new IllegalStateException("keytool says: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool was at work", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
