package io.feedkit.jdbc.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The scripts that create the tables of one database, one for each version. */
public final class SchemaScripts {

    /** The version of the tables that this library needs. */
    public static final int LATEST = 1;

    private static final Pattern TABLE = Pattern.compile("CREATE (?:UNLOGGED )?TABLE \\$\\{feedkit\\.tables}([a-z_]+)");

    private final Dialect dialect;
    private final TableNames names;
    private final int latest;
    private final String folder;
    private final String file;
    private final String versions;

    /** Creates the scripts up to a version. */
    public SchemaScripts(Dialect dialect, TableNames names, int latest) {
        this(dialect, names, latest, "feedkit-jdbc/", "feedkit", "schema_version");
    }

    private SchemaScripts(Dialect dialect, TableNames names, int latest, String folder, String file, String versions) {
        this.dialect = dialect;
        this.names = names;
        this.latest = latest;
        this.folder = folder + dialect.schemaFolder();
        this.file = file;
        this.versions = versions;
    }

    /** Creates the scripts of the archive's tables, which may be in another database than the others. */
    public static SchemaScripts ofArchive(Dialect dialect, TableNames names, int latest) {
        return new SchemaScripts(dialect, names, latest, "feedkit-jdbc/archive/", "feedkit_archive", "archive_version");
    }

    /** The location of the scripts, for messages. */
    public String location() {
        return "classpath:" + folder + " (" + dialect.name() + ")";
    }

    /** The version of the existing tables. */
    public OptionalInt version(Connection connection) throws SQLException {
        if (!exists(connection, versions)) {
            return OptionalInt.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT max(version) FROM " + names.qualifier() + versions)) {
            return found.next() && found.getInt(1) > 0 ? OptionalInt.of(found.getInt(1)) : OptionalInt.empty();
        }
    }

    private boolean exists(Connection connection, String table) throws SQLException {
        String sql = "SELECT count(*) FROM information_schema.tables WHERE lower(table_name) = '" + names.prefix()
                + table + "' AND lower(table_schema) = lower(" + schemaExpression() + ")";
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            return found.next() && found.getInt(1) > 0;
        }
    }

    /** The tables' schema as an expression. */
    public String schemaExpression() {
        return names.schema().isEmpty() ? ownSchema() : "'" + names.schema() + "'";
    }

    /** The names of all tables, prefix included. */
    Set<String> tables() {
        Set<String> tables = new TreeSet<>();
        for (int version = 1; version <= latest; version++) {
            TABLE.matcher(raw(version)).results().forEach(table -> tables.add(names.prefix() + table.group(1)));
        }
        return tables;
    }

    private String ownSchema() {
        return switch (dialect) {
            case H2 -> "SCHEMA()";
            case POSTGRESQL -> "current_schema()";
            case MYSQL, MARIADB -> "DATABASE()";
        };
    }

    /** Runs the scripts of the versions after a version. */
    public void run(Connection connection, int after) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements(text(after))) {
                statement.execute(sql);
            }
        }
    }

    /** Drops the existing tables. */
    public void drop(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int version = latest; version > 0; version--) {
                Matcher tables = TABLE.matcher(raw(version));
                while (tables.find()) {
                    statement.execute("DROP TABLE IF EXISTS " + names.qualifier() + tables.group(1));
                }
            }
        }
    }

    /** The scripts of the versions after a version, as one text. */
    public String text(int after) {
        StringBuilder text = new StringBuilder();
        for (int version = after + 1; version <= latest; version++) {
            text.append(names.resolveScript(raw(version)));
        }
        return text.toString();
    }

    private static List<String> statements(String script) {
        String bare = script.lines().filter(line -> !line.startsWith("--")).reduce("", (a, b) -> a + "\n" + b);
        return Pattern.compile(";\\s*(\n|$)")
                .splitAsStream(bare)
                .map(String::strip)
                .filter(sql -> !sql.isEmpty())
                .toList();
    }

    private String raw(int version) {
        String path = "/" + folder + "/V" + version + "__" + file + ".sql";
        try (InputStream resource = SchemaScripts.class.getResourceAsStream(path)) {
            if (resource == null) {
                throw new IllegalStateException("The resource " + path + " is missing from the library feedkit-jdbc");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
