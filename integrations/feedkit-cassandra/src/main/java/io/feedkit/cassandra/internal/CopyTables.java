package io.feedkit.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The tables in a keyspace, and all statements on them. */
public final class CopyTables {

    /** The version of the tables. */
    public static final int VERSION = 1;

    /** The heads of copies. */
    static final String HEADS = "inbox_copy";

    /** The parts of copies. */
    static final String PARTS = "inbox_copy_part";

    /** The sources of truth of copies. */
    static final String SOURCES = "inbox_copy_source";

    private static final String SCRIPT = "/io/feedkit/cassandra/tables.cql";
    private static final String CREATE = "CREATE TABLE IF NOT EXISTS ";

    private final String keyspace;
    private final String quoted;

    /** Names the tables in a keyspace, by its name in the server's letter case. */
    public CopyTables(String keyspace) {
        this.keyspace = keyspace;
        this.quoted = CqlIdentifier.fromInternal(keyspace).asCql(true);
    }

    /** The name of the keyspace. */
    public String keyspace() {
        return keyspace;
    }

    /** The name of the keyspace in a statement. */
    String quotedKeyspace() {
        return quoted;
    }

    private String table(String name) {
        return quoted + "." + name;
    }

    /** The statements that create the tables. */
    public List<String> create() {
        return Arrays.stream(script().split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .map(statement -> statement.replace(CREATE, CREATE + quoted + "."))
                .toList();
    }

    /** The script without its comments. */
    private static String script() {
        try (InputStream file = CopyTables.class.getResourceAsStream(SCRIPT)) {
            if (file == null) {
                throw new IllegalStateException("the jar of feedkit-cassandra lacks " + SCRIPT);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("--"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the version and the source of truth of a prefix. */
    String selectSource() {
        return "SELECT version, identity FROM " + table(SOURCES) + " WHERE space = ?";
    }

    /** Records the version and the source of truth of a prefix, unless there are some. */
    public String claimSource() {
        return "INSERT INTO " + table(SOURCES) + " (space, version, identity) VALUES (?, ?, ?) IF NOT EXISTS";
    }

    /** Removes the source of truth of a prefix, which only operators do. */
    public String releaseSource(String prefix) {
        return "DELETE FROM " + table(SOURCES) + " WHERE space = '" + prefix + "' IF EXISTS";
    }

    /** Reads the head of a reader. */
    public String selectHead() {
        return "SELECT head FROM " + table(HEADS) + " WHERE space = ? AND reader = ?";
    }

    /** Reads the head of a reader with the time at which it was written and its remaining time. */
    public String selectHeadTimes() {
        return "SELECT head, WRITETIME(head) AS written, TTL(head) AS remaining FROM " + table(HEADS)
                + " WHERE space = ? AND reader = ?";
    }

    /** Writes the head of a reader. */
    public String insertHead() {
        return "INSERT INTO " + table(HEADS) + " (space, reader, head) VALUES (?, ?, ?) USING TTL ?";
    }

    /** Reads the parts of a copy. */
    public String selectParts() {
        return "SELECT part, content FROM " + table(PARTS) + " WHERE space = ? AND reader = ? AND copy = ?";
    }

    /** Writes a part of a copy. */
    public String insertPart() {
        return "INSERT INTO " + table(PARTS)
                + " (space, reader, copy, part, content) VALUES (?, ?, ?, ?, ?) USING TTL ?";
    }

    /** Deletes the parts of a copy that no head names. */
    public String deleteParts() {
        return "DELETE FROM " + table(PARTS) + " WHERE space = ? AND reader = ? AND copy = ?";
    }
}
