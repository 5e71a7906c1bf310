package io.feedkit.jdbc;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.bus.BusListeners;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.jdbc.internal.notification.NotificationChannel;
import io.feedkit.jdbc.internal.notification.NotificationListener;
import io.feedkit.jdbc.internal.notification.NotificationSender;
import io.feedkit.jdbc.internal.notification.NotificationUse;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.jdbc.internal.store.StoreChecks;
import io.feedkit.live.LiveBus;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * A bus on LISTEN and NOTIFY of PostgreSQL. It needs no tables, so the store may be another one.
 *
 * <pre>{@code
 * PostgresLiveBus bus = PostgresLiveBus.create(dataSource);
 * FeedEngine feed = FeedEngine.builder(store).live(live -> live.bus(bus)).build();
 * }</pre>
 *
 * <p>While there are listeners, one connection of the data source is used only for listening, however many engines use
 * the bus. One daemon thread waits on it, calls the listeners, and connects again after a loss. Each message takes
 * another connection for a moment: two connections beside those that the store needs. Thread-safe.
 *
 * <ul>
 *   <li>At commit, a message takes a lock that all notifying transactions of the database server wait for.
 *   <li>A pooler that shares server connections between transactions does not deliver notifications.
 *   <li>A server that is a replica can neither send nor listen.
 * </ul>
 *
 * @since 0.1.0
 */
@Beta
public final class PostgresLiveBus implements LiveBus, AutoCloseable {

    /**
     * How long a statement may take by default: a thousand times the normal duration, and short enough that an engine
     * soon notices that the bus is silent.
     */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private static final String SEND = "bus.send";

    private final String channel;
    private final NotificationListener listener;
    private final NotificationSender sender;
    private volatile boolean closed;

    private PostgresLiveBus(DataSource dataSource, String channel, Duration timeout) {
        this.channel = channel;
        this.listener = new NotificationListener(dataSource, channel, timeout, NotificationUse.BUS);
        this.sender = new NotificationSender(dataSource, channel, timeout);
    }

    /**
     * Creates a bus with default settings.
     *
     * @param dataSource a PostgreSQL database
     * @return the bus
     * @throws IllegalArgumentException as {@link Builder#build()}
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static PostgresLiveBus create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Returns a builder of a bus.
     *
     * @param dataSource a PostgreSQL database, with PostgreSQL's own driver
     * @return a builder
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(nonNull("dataSource", dataSource));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The message is a transaction of its own. The call waits for a connection as long as the data source does, and
     * then for the answer, at most the {@linkplain Builder#timeout time-out}.
     */
    @Override
    public void send(String message) {
        BusListeners.requireMessage(message);
        if (closed) {
            throw new StoreUnavailableException(SEND, new IllegalStateException("this bus is closed"));
        }
        sender.send(SEND, message);
    }

    @Override
    public Registration listen(Listener wanted) {
        BusListeners one = new BusListeners();
        one.add(wanted);
        NotificationListener.Registration registration = listener.add(new NotificationListener.Receiver() {
            @Override
            public void connected() {
                // Engines notice what they missed.
            }

            @Override
            public void received(List<String> texts) {
                texts.forEach(one::receive);
            }
        });
        return () -> {
            one.clear();
            registration.close();
        };
    }

    /**
     * Stops the thread, and returns its connection. Listeners get no further messages, and {@link #send} fails. The
     * data source stays open. Close the engines first. Idempotent.
     */
    @Override
    public void close() {
        closed = true;
        listener.close();
    }

    @Override
    public String toString() {
        return "PostgresLiveBus[" + channel + "]";
    }

    /**
     * Settings of a bus. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before.
     */
    @Beta
    public static final class Builder {

        private static final Duration SHORTEST = Duration.ofMillis(10);
        private static final Duration LONGEST = Duration.ofDays(1);

        private final DataSource dataSource;
        private final SetOnce given = new SetOnce();
        private String schema = "";
        private String prefix = JdbcSchema.DEFAULT_PREFIX;
        private Duration timeout = DEFAULT_TIMEOUT;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /**
         * Sets the first part of the channel's name. Buses with different names do not receive each other's messages.
         * The schema need not exist.
         *
         * @param schema at most 30 characters a-z, 0-9 and _, not beginning with a digit; by default the connections'
         *     own schema
         * @return this builder
         */
        public Builder schema(String schema) {
            this.schema = given.once("schema", TableNames.requireIdentifier("schema", nonNull("schema", schema)));
            return this;
        }

        /**
         * Sets the second part of the channel's name.
         *
         * @param prefix at most 30 characters a-z, 0-9 and _, not beginning with a digit; by default
         *     {@link JdbcSchema#DEFAULT_PREFIX}
         * @return this builder
         */
        public Builder prefix(String prefix) {
            this.prefix = given.once("prefix", TableNames.requireIdentifier("prefix", nonNull("prefix", prefix)));
            return this;
        }

        /**
         * Limits how long a statement may take.
         *
         * @param timeout 10 milliseconds to a day; {@link PostgresLiveBus#DEFAULT_TIMEOUT} by default
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = given.once("timeout", between("timeout", timeout, SHORTEST, LONGEST));
            return this;
        }

        /**
         * Creates the bus, and checks the data source.
         *
         * @return the bus
         * @throws IllegalArgumentException if the database is not PostgreSQL, if its connections are not of
         *     PostgreSQL's own driver, or if they belong to transactions of the host's
         * @throws StoreUnavailableException if the database does not answer
         */
        public PostgresLiveBus build() {
            StoreChecks.requireOwnTransactions(dataSource);
            NotificationListener.requirePossible(dataSource, NotificationUse.BUS);
            String name = prefix + "live";
            String channel = schema.isEmpty()
                    ? NotificationChannel.inOwnSchema(dataSource, name)
                    : NotificationChannel.name(schema, name);
            return new PostgresLiveBus(dataSource, channel, timeout);
        }
    }
}
