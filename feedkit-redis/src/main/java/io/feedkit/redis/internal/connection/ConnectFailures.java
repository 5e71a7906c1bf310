package io.feedkit.redis.internal.connection;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.RedisProtocolException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Distinguishes a wrong server from one that does not answer, by the failure that Lettuce reports when it cannot
 * connect.
 */
public final class ConnectFailures {

    private static final Pattern DENIED =
            Pattern.compile("^(NOAUTH|WRONGPASS|NOPERM|DENIED|ERR AUTH|ERR invalid password|ERR Client sent AUTH)");
    /** The second part is Lettuce's message for a connection whose handlers are gone because it is already closed. */
    private static final String CLOSED = "[Cc]losed prematurely|RedisHandshakeHandler not registered";

    private static final Pattern REACHED = Pattern.compile("initialization timed out|handshake timed out|" + CLOSED
            + "|Connection reset|closed while SSL/TLS|SSLEngine closed|Broken pipe");
    private static final Pattern ONLY_CLOSED = Pattern.compile(CLOSED);
    private static final int MOST_CAUSES = 100;

    private ConnectFailures() {}

    /** Returns the exception for the host. */
    public static FeedKitException of(RedisException failure) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            Optional<Reason> reason = reason(cause);
            if (reason.isPresent()) {
                return new UnusableServerException(
                        reason.get(), text(causes, cause) + advice(reason.get()), Addresses.clean(failure));
            }
        }
        Throwable root = causes.get(causes.size() - 1);
        return new StoreUnavailableException(
                "redis.connect",
                new RedisConnectionException(text(causes, root) + advice(causes), Addresses.clean(failure)));
    }

    /**
     * Whether the connection was closed while it was set up, for no known reason. If a server refuses a connection,
     * Lettuce closes it, and the close sometimes overtakes the refusal.
     */
    public static boolean onlyClosed(RedisException failure) {
        List<Throwable> causes = causes(failure);
        return causes.stream().noneMatch(cause -> reason(cause).isPresent()) && anyMatches(causes, ONLY_CLOSED);
    }

    private static Optional<Reason> reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof RedisProtocolException
                || (cause instanceof SSLException && message.startsWith("not an SSL/TLS record"))) {
            return Optional.of(Reason.NOT_REDIS);
        }
        if (cause instanceof CertificateException
                || (cause instanceof SSLHandshakeException && message.contains("Received fatal alert"))) {
            return Optional.of(Reason.NOT_TRUSTED);
        }
        if (!(cause instanceof RedisCommandExecutionException)) {
            return Optional.empty();
        }
        if (DENIED.matcher(message).find()) {
            return Optional.of(Reason.ACCESS_DENIED);
        }
        boolean otherKind = message.contains("cluster support disabled")
                || message.contains("cluster mode")
                || message.contains("DB index")
                || message.contains("unknown command");
        return otherKind ? Optional.of(Reason.OTHER_KIND) : Optional.empty();
    }

    private static String advice(Reason reason) {
        return switch (reason) {
            case ACCESS_DENIED -> ": check user and password, redis://user:password@host";
            case NOT_TRUSTED ->
                ": use the host name of the server's certificate, and make the JVM (javax.net.ssl.trustStore)"
                        + " or a client of your own (SslOptions) trust it, with a certificate, protocols and ciphers"
                        + " that the server accepts";
            case NOT_REDIS, TOO_OLD -> ": check host and port, and whether it is encrypted (rediss)";
            case OTHER_KIND ->
                ": check whether it is one server (redis), sentinels (redis-sentinel) or a cluster (redis-cluster),"
                        + " and whether it has that database";
        };
    }

    /**
     * If only one side of a connection encrypts, neither side understands the other, and many servers do not answer.
     */
    private static String advice(List<Throwable> causes) {
        return anyMatches(causes, REACHED)
                ? ": the server was reached; check whether it is encrypted (rediss) or not (redis)"
                : "";
    }

    private static boolean anyMatches(List<Throwable> causes, Pattern message) {
        return causes.stream()
                .anyMatch(cause ->
                        message.matcher(String.valueOf(cause.getMessage())).find());
    }

    /**
     * The innermost message that names a host, or else the failure's own, with the reason. For a cluster Lettuce names
     * members only deep in the causes.
     */
    private static String text(List<Throwable> causes, Throwable cause) {
        String text = causes.stream()
                .filter(RedisConnectionException.class::isInstance)
                .map(each -> String.valueOf(each.getMessage()))
                .filter(message -> message.startsWith("Unable to connect to "))
                .reduce(String.valueOf(causes.get(0).getMessage()), (outer, inner) -> inner);
        String more = String.valueOf(cause.getMessage());
        return Addresses.clean(text.contains(more) ? text : text + ": " + more);
    }

    /** The failure with its causes and suppressed exceptions. The root cause is the last one. */
    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>(List.of(failure));
        for (int i = 0; i < causes.size() && causes.size() < MOST_CAUSES; i++) {
            causes.addAll(List.of(causes.get(i).getSuppressed()));
            Optional.ofNullable(causes.get(i).getCause()).ifPresent(causes::add);
        }
        return causes;
    }
}
