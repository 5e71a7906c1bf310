package io.feedkit.jdbc.internal.host;

/**
 * A table of the host's.
 *
 * @param setting the setting that names it, for messages
 * @param schema its schema, or {@code ""} for the connections' own
 * @param name its name
 */
record HostTable(String setting, String schema, String name) {

    String qualified() {
        return schema.isEmpty() ? name : schema + "." + name;
    }
}
