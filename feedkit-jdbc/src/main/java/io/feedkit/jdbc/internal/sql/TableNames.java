package io.feedkit.jdbc.internal.sql;

import io.feedkit.spi.Ids;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the tables are.
 *
 * @param schema the schema, or {@code ""} for the connection's own
 * @param prefix what the names of tables begin with
 */
public record TableNames(String schema, String prefix) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([a-z_.]+)}");
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]*");
    private static final int LONGEST = 30;
    private static final int LONGEST_OF_HOST = 63;

    /** Checks both: lower-case identifiers, so that they need no quotes and mean the same in every database. */
    public TableNames {
        if (!schema.isEmpty()) {
            requireIdentifier("schema", schema);
        }
        requireIdentifier("prefix", prefix);
    }

    /** Returns a lower-case identifier, if it is one. */
    public static String requireIdentifier(String name, String value) {
        return require(name, value, LONGEST);
    }

    /** Returns a lower-case identifier of the host's, if it is one: databases take longer ones, but FeedKit adds to its own. */
    public static String requireHostIdentifier(String name, String value) {
        return require(name, value, LONGEST_OF_HOST);
    }

    private static String require(String name, String value, int longest) {
        if (value.length() > longest || !IDENTIFIER.matcher(value).matches()) {
            throw new IllegalArgumentException(name + " must be at most " + longest
                    + " of the characters a-z, 0-9 and _, and not begin with a digit, but is " + Ids.printable(value));
        }
        return value;
    }

    /** What every table's qualified name begins with. */
    public String qualifier() {
        return schema.isEmpty() ? prefix : schema + "." + prefix;
    }

    /** Puts names in: <code>${post}</code> becomes the qualified name of the table {@code post}. */
    String resolve(String sql) {
        return PLACEHOLDER.matcher(sql).replaceAll(match -> Matcher.quoteReplacement(qualifier() + match.group(1)));
    }

    /** Puts names into a schema script. */
    public String resolveScript(String script) {
        return script.replace("${feedkit.tables}", qualifier()).replace("${feedkit.prefix}", prefix);
    }
}
