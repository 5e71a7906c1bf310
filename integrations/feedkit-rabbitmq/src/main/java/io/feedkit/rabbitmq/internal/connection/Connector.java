package io.feedkit.rabbitmq.internal.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Opens connections with the host's factory, and checks the brokers at their other end. Immutable and thread-safe. */
public final class Connector {

    private static final Pattern VERSION = Pattern.compile("^(\\d{1,4})\\.(\\d{1,4})");
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int MAJOR = 3;
    private static final int MINOR = 10;

    private final ConnectionFactory factory;
    private final List<Address> addresses;
    private final Queues queues;

    /**
     * Copies the host's factory. Limits the time-outs that the host has left unlimited, or at the client's defaults.
     */
    public Connector(ConnectionFactory host, List<Address> addresses, Queues queues) {
        this.factory = host.clone();
        this.addresses = List.copyOf(addresses);
        this.queues = queues;
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setConnectionTimeout(
                bounded(host.getConnectionTimeout(), ConnectionFactory.DEFAULT_CONNECTION_TIMEOUT));
        factory.setHandshakeTimeout(bounded(host.getHandshakeTimeout(), ConnectionFactory.DEFAULT_HANDSHAKE_TIMEOUT));
        factory.setChannelRpcTimeout(
                bounded(host.getChannelRpcTimeout(), ConnectionFactory.DEFAULT_CHANNEL_RPC_TIMEOUT));
        factory.setChannelShouldCheckRpcResponseType(true);
    }

    private static int bounded(int hosts, int clientsDefault) {
        return hosts <= 0 || hosts == clientsDefault ? TIMEOUT_MILLIS : hosts;
    }

    /** The queues for which connections are opened. */
    public Queues queues() {
        return queues;
    }

    /** The broker's address, for messages. */
    public String where() {
        String at = addresses.isEmpty()
                ? factory.getHost() + ":" + factory.getPort()
                : addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
        return "RabbitMQ at " + at;
    }

    /** Opens a connection. */
    Connection connect(String name, Sockets sockets) throws IOException, TimeoutException {
        ConnectionFactory own = factory.clone();
        own.setSocketConfigurator(sockets.recording(factory.getSocketConfigurator()));
        Connection connection = addresses.isEmpty() ? own.newConnection(name) : own.newConnection(addresses, name);
        try {
            check(connection);
            queues.prepare(connection);
            return connection;
        } catch (Throwable e) {
            new OpenConnection(connection, sockets, () -> {}).close();
            throw e;
        }
    }

    private static void check(Connection connection) {
        String product = String.valueOf(connection.getServerProperties().get("product"));
        String version = String.valueOf(connection.getServerProperties().get("version"));
        if (!product.equals("RabbitMQ")) {
            throw new UnusableBrokerException(
                    Reason.OTHER_PROGRAM,
                    "its product is \"" + product + "\", not \"RabbitMQ\": check host and port",
                    null);
        }
        Matcher matcher = VERSION.matcher(version);
        if (matcher.find() && isTooOld(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))) {
            throw new UnusableBrokerException(
                    Reason.TOO_OLD,
                    "it is RabbitMQ " + version + ", whose quorum queues do not support message expiry: use " + MAJOR
                            + "." + MINOR + " or later",
                    null);
        }
    }

    private static boolean isTooOld(int major, int minor) {
        return major < MAJOR || (major == MAJOR && minor < MINOR);
    }
}
