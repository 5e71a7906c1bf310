package io.feedkit.kafka.internal;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Distinguishes brokers that cannot be used from those that do not answer. */
final class BrokerFailures {

    private BrokerFailures() {}

    /**
     * Translates a failure for the host.
     *
     * @param what what was requested
     * @param brokers which brokers were asked
     */
    static FeedKitException of(String what, Object brokers, Throwable failure) {
        String text = Addresses.clean(what + " at " + brokers + " failed: " + failure.getMessage());
        if (failure instanceof SslAuthenticationException) {
            return unusable(
                    Reason.NOT_TRUSTED,
                    text + ": check ssl.truststore.location, the host name of the certificate, and whether this port"
                            + " is encrypted (security.protocol)",
                    failure);
        }
        if (failure instanceof AuthenticationException) {
            return unusable(
                    Reason.ACCESS_DENIED,
                    text + ": check user and password (sasl.jaas.config), sasl.mechanism and security.protocol",
                    failure);
        }
        if (failure instanceof AuthorizationException) {
            return unusable(
                    Reason.ACCESS_DENIED,
                    text + ": allow the user to describe, create, read and write the queue's topics, to describe their"
                            + " settings, and to read and alter the queue's groups",
                    failure);
        }
        if (failure instanceof UnsupportedVersionException) {
            return unusable(Reason.TOO_OLD, text + ": update the brokers", failure);
        }
        if (failure instanceof ApiException && !(failure instanceof RetriableException)) {
            return unusable(Reason.REFUSED, text, failure);
        }
        return new StoreUnavailableException(
                "kafka.connect",
                new KafkaException(text + ": check bootstrap.servers and security.protocol", Addresses.clean(failure)));
    }

    private static UnusableBrokerException unusable(Reason reason, String message, Throwable cause) {
        return new UnusableBrokerException(reason, message, Addresses.clean(cause));
    }
}
