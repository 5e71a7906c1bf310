package io.feedkit.jdbc.internal.sql;

import io.feedkit.internal.check.Ids;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the tables.
 *
 * @param schema the schema, or {@code ""} for the connection's own
 * @param prefix the prefix of each table's name
 */
public record TableNames(String schema, String prefix) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([a-z_.]+)}");
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]*");
    private static final int LONGEST = 30;
    private static final int LONGEST_OF_HOST = 63;

    /** Checks that both are lower-case identifiers, which need no quotes and mean the same in every database. */
    public TableNames {
        if (!schema.isEmpty()) {
            requireIdentifier("schema", schema);
        }
        requireIdentifier("prefix", prefix);
    }

    /** Returns the value if it is a lower-case identifier. */
    public static String requireIdentifier(String name, String value) {
        return require(name, value, LONGEST);
    }

    /**
     * Returns the value if it is a lower-case identifier. Identifiers of the host may be longer, since FeedKit adds
     * nothing to them.
     */
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

    /** The prefix of each table's qualified name. */
    public String qualifier() {
        return schema.isEmpty() ? prefix : schema + "." + prefix;
    }

    /** Replaces <code>${post}</code> by the qualified name of the table {@code post}. */
    String resolve(String sql) {
        return PLACEHOLDER.matcher(sql).replaceAll(match -> Matcher.quoteReplacement(qualifier() + match.group(1)));
    }

    /** Replaces the placeholders of a schema script. */
    public String resolveScript(String script) {
        return script.replace("${feedkit.tables}", qualifier()).replace("${feedkit.prefix}", prefix);
    }
}
