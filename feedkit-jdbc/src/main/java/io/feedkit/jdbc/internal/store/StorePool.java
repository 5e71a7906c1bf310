package io.feedkit.jdbc.internal.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The pool of a store that was given a URL. */
public final class StorePool {

    /**
     * How much longer a connection waits for bytes than a statement may take, so that the server's time-out comes
     * first.
     */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Matches the start of a URL's parameters. A {@code ?} in a password is not followed by a parameter. */
    private static final Pattern PARAMETERS = Pattern.compile("\\?(?=[^@]*=)");

    private StorePool() {}

    /**
     * Opens a pool whose connections are at READ COMMITTED, and fail in bounded time if the network loses packets.
     *
     * @throws IllegalArgumentException if there is no driver for the URL
     * @throws StoreUnavailableException if the database cannot be reached
     */
    public static HikariDataSource open(
            String url, Optional<String> user, Optional<String> password, int size, Duration timeout) {
        requireNoCredentials(url);
        requireDriver(url);
        HikariConfig config = new HikariConfig();
        config.setPoolName("feedkit-jdbc");
        config.setJdbcUrl(url);
        user.ifPresent(config::setUsername);
        password.ifPresent(config::setPassword);
        config.setMaximumPoolSize(size);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionTimeout(Math.max(250, timeout.toMillis()));
        config.setValidationTimeout(Math.max(250, timeout.toMillis()));
        config.setInitializationFailTimeout(1);
        timeouts(url, timeout).forEach((name, value) -> {
            if (!url.contains(name + "=")) {
                config.addDataSourceProperty(name, value);
            }
        });
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new StoreUnavailableException("jdbc.connect", Addresses.clean(e));
        }
    }

    /**
     * Refuses credentials before the host. These drivers treat them as a part of the host's name, and show them in the
     * message that the host is unknown.
     */
    private static void requireNoCredentials(String url) {
        String kind = kind(url).toLowerCase(Locale.ROOT);
        if (kind.equals("jdbc:postgresql:") || kind.equals("jdbc:mariadb:")) {
            Addresses.requireNoCredentials(
                    "url", PARAMETERS.split(url, 2)[0], "set credentials, since " + kind + " does not know it");
        }
    }

    /**
     * Refuses a URL without a driver. The message shows only the kind of the URL, since the rest may contain a
     * password.
     */
    private static void requireDriver(String url) {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "url must be one that a JDBC driver on the class path accepts, but none accepts \"" + kind(url)
                            + "...\"",
                    e);
        }
    }

    private static String kind(String url) {
        String[] parts = url.split(":", 3);
        return parts.length < 3 ? "" : parts[0] + ":" + parts[1] + ":";
    }

    private static Map<String, String> timeouts(String url, Duration timeout) {
        Duration longest = timeout.plus(GRACE);
        return switch (kind(url).toLowerCase(Locale.ROOT)) {
            case "jdbc:postgresql:" ->
                Map.of(
                        "connectTimeout", seconds(timeout),
                        "socketTimeout", seconds(longest),
                        "cancelSignalTimeout", seconds(timeout),
                        "tcpKeepAlive", "true");
            case "jdbc:mariadb:", "jdbc:mysql:" ->
                Map.of(
                        "connectTimeout", String.valueOf(timeout.toMillis()),
                        "socketTimeout", String.valueOf(longest.toMillis()));
            default -> Map.of();
        };
    }

    private static String seconds(Duration duration) {
        return String.valueOf(Math.max(1, duration.toSeconds()));
    }
}
