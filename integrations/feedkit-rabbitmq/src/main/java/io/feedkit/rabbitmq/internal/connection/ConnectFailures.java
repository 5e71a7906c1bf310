package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ProtocolVersionMismatchException;
import com.rabbitmq.client.ShutdownSignalException;
import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Distinguishes a broker that cannot be used from one that does not answer. */
public final class ConnectFailures {

    private static final Pattern INEQUIVALENT =
            Pattern.compile("inequivalent arg '([^']+)' for queue '([^']+)'.*: received (.*) but current is (.*)$");
    private static final Pattern NUMBER = Pattern.compile("'(\\d+)'");
    private static final Map<String, String> SETTINGS =
            Map.of("x-max-length", "maxLength", "x-message-ttl", "messageTtl");
    private static final int MOST_CAUSES = 100;

    private ConnectFailures() {}

    /** Returns the exception for the host. */
    public static FeedKitException of(String where, Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            if (cause instanceof UnusableBrokerException unusable) {
                return unusable;
            }
            Optional<UnusableBrokerException> found = unusable(where, cause, failure);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return new StoreUnavailableException(
                "rabbitmq.connect",
                new IOException(where + " cannot be reached: " + text(failure), Addresses.clean(failure)));
    }

    /** The reason of a failure, as the broker reported it if it did. */
    static String text(Throwable failure) {
        List<Throwable> causes = causes(failure);
        return Addresses.clean(causes.stream()
                .map(ConnectFailures::reply)
                .flatMap(Optional::stream)
                .map(Reply::text)
                .findFirst()
                .orElseGet(() -> FailureReasons.text(causes.get(causes.size() - 1))));
    }

    private static Optional<UnusableBrokerException> unusable(String where, Throwable cause, Throwable failure) {
        if (cause instanceof AuthenticationFailureException
                || cause instanceof PossibleAuthenticationFailureException) {
            return unusable(
                    Reason.ACCESS_DENIED,
                    where + " refuses the user: check username and password of the ConnectionFactory",
                    failure);
        }
        if (cause instanceof CertificateException || cause instanceof SSLHandshakeException) {
            return unusable(
                    Reason.NOT_TRUSTED,
                    where + " and this side do not trust each other (" + cause.getMessage()
                            + "): check useSslProtocol of the ConnectionFactory, and use the host name of the"
                            + " broker's certificate",
                    failure);
        }
        if (cause instanceof MalformedFrameException
                || cause instanceof ProtocolVersionMismatchException
                || cause instanceof SSLException) {
            return unusable(
                    Reason.OTHER_PROGRAM,
                    where + " does not speak AMQP 0-9-1 (" + cause.getMessage()
                            + "): check host and port, and whether it is encrypted",
                    failure);
        }
        return reply(cause).flatMap(reply -> unusable(where, reply, failure));
    }

    private static Optional<UnusableBrokerException> unusable(String where, Reply reply, Throwable failure) {
        return switch (reply.code()) {
            case AMQP.NOT_FOUND ->
                unusable(
                        Reason.MISSING_QUEUE,
                        where + " reports " + reply.text() + ": create the queue, or set declare(true)",
                        failure);
            case AMQP.ACCESS_REFUSED ->
                unusable(
                        Reason.ACCESS_DENIED,
                        where + " reports " + reply.text() + ": let the user configure, write and read queues of that"
                                + " name, or create them and set declare(false)",
                        failure);
            case AMQP.NOT_ALLOWED ->
                unusable(
                        Reason.ACCESS_DENIED,
                        where + " reports " + reply.text() + ": check virtualHost of the ConnectionFactory",
                        failure);
            case AMQP.PRECONDITION_FAILED -> unusable(Reason.OTHER_QUEUE, otherQueue(where, reply.text()), failure);
            default -> Optional.empty();
        };
    }

    private static String otherQueue(String where, String text) {
        Matcher matcher = INEQUIVALENT.matcher(text);
        if (!matcher.find()) {
            return where + " reports " + text + ": delete the queue, or set another queuePrefix";
        }
        String argument = matcher.group(1);
        Optional<String> setting = Optional.ofNullable(SETTINGS.get(argument));
        Optional<String> current = number(matcher.group(4));
        String wanted = number(matcher.group(3)).orElse(matcher.group(3));
        String remedy = "delete the queue, set another queuePrefix, or set declare(false)";
        return "the queue " + matcher.group(2) + " at " + where + " has " + argument + " = "
                + current.orElse(matcher.group(4)) + ", but "
                + setting.map(name -> name + " is ").orElse("FeedKit needs ") + wanted + ": "
                + (setting.isPresent() && current.isPresent()
                        ? "set " + setting.get() + " to that, or "
                        : "it is of another type, or has other arguments; ")
                + remedy;
    }

    private static Optional<String> number(String value) {
        Matcher matcher = NUMBER.matcher(value);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Optional<UnusableBrokerException> unusable(Reason reason, String message, Throwable failure) {
        return Optional.of(new UnusableBrokerException(reason, Addresses.clean(message), Addresses.clean(failure)));
    }

    /**
     * The broker's reason for closing a channel or a connection.
     *
     * @param code the reply code of AMQP
     * @param text why
     */
    private record Reply(int code, String text) {}

    private static Optional<Reply> reply(Throwable cause) {
        if (!(cause instanceof ShutdownSignalException signal)) {
            return Optional.empty();
        }
        Method method = signal.getReason();
        if (method instanceof AMQP.Channel.Close close) {
            return Optional.of(new Reply(close.getReplyCode(), close.getReplyText()));
        }
        if (method instanceof AMQP.Connection.Close close) {
            return Optional.of(new Reply(close.getReplyCode(), close.getReplyText()));
        }
        return Optional.empty();
    }

    /** The failure with its causes. The root cause is the last one. */
    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>(List.of(failure));
        for (int i = 0; i < causes.size() && causes.size() < MOST_CAUSES; i++) {
            Optional.ofNullable(causes.get(i).getCause()).ifPresent(causes::add);
        }
        return causes;
    }
}
