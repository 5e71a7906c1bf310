package io.feedkit.tools.servers;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a Cassandra server in an option.
 *
 * @param host the host's name
 * @param port the port for clients
 * @param datacenter the datacenter of the host
 */
public record CassandraUrl(String host, int port, String datacenter) {

    private static final String SCHEME = "cassandra://";
    private static final Pattern FORM = Pattern.compile(SCHEME + "([^@/:,?]+):([0-9]{1,5})/([A-Za-z0-9_.-]+)");
    private static final int MOST_PORTS = 65_535;

    /**
     * Returns whether an address is that of Cassandra.
     *
     * @param url an address of any kind
     * @return whether it begins with {@code cassandra://}
     */
    public static boolean is(String url) {
        return url.startsWith(SCHEME);
    }

    /**
     * Reads an address.
     *
     * @param option the option's name
     * @param url the address
     * @return its parts
     * @throws IllegalArgumentException if the address is wrong. The message does not show it
     */
    public static CassandraUrl of(String option, String url) {
        Matcher parts = FORM.matcher(url);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > MOST_PORTS) {
            throw new IllegalArgumentException(
                    option + " must be cassandra://HOST:PORT/DATACENTER, without a user or a password");
        }
        return new CassandraUrl(parts.group(1), Integer.parseInt(parts.group(2)), parts.group(3));
    }

    /**
     * Returns where the server is.
     *
     * @return the host and the port
     */
    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }
}
