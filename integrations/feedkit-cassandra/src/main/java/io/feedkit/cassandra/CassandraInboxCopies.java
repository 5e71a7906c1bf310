package io.feedkit.cassandra;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.feedkit.Beta;
import io.feedkit.ForeignStoreException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.cassandra.internal.Calls;
import io.feedkit.cassandra.internal.CopyStatements;
import io.feedkit.cassandra.internal.CopyTables;
import io.feedkit.cassandra.internal.HeadCodec;
import io.feedkit.cassandra.internal.KeyspaceCheck;
import io.feedkit.cassandra.internal.StartedKeyspace;
import io.feedkit.cassandra.internal.WriteClock;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.spi.InboxCopies;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Copies of inboxes in Cassandra 4.0 or later, for readers who come back after their inbox has ended. The keyspace is
 * the host's; {@link #createTables} creates the tables:
 *
 * <pre>{@code
 * CassandraInboxCopies.createTables(session, "feeds");
 * InboxCopies copies = CassandraInboxCopies.builder(session).keyspace("feeds").build();
 * }</pre>
 *
 * <p>All reads and writes have the consistency LOCAL_QUORUM, time-outs of their own, and no batches. {@link #claim} has
 * the only conditional write. The parts of a copy are in a partition of their own, and everything expires, so reads
 * meet no tombstones of earlier copies.
 *
 * <p>The session is the host's. Do not call these methods on the session's own threads. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class CassandraInboxCopies implements InboxCopies {

    /** The default prefix, which tells deployments in one keyspace apart. */
    public static final String DEFAULT_PREFIX = "feedkit";

    /** How many replicas the local datacenter has by default: one may be down, and a quorum still answers. */
    public static final int DEFAULT_REPLICAS = 3;

    /** How long a statement waits for an answer by default: building an inbox without a copy takes less time. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(500);

    /** Whether copies start although the server cannot be reached: no, so that a wrong address is noticed at start. */
    public static final boolean DEFAULT_START_WITHOUT_SERVER = false;

    /** How long a statement that creates a table may take, with the agreement of all nodes. */
    private static final Duration CREATION = Duration.ofSeconds(30);

    /** Cassandra's longest time to live, 20 years. */
    private static final long LONGEST_SECONDS = 630_720_000;

    private static final int MOST_NODES_SHOWN = 3;

    private final Calls calls;
    private final CopyTables tables;
    private final String prefix;
    private final int replicas;
    private final String place;
    private final StartedKeyspace keyspace;

    private CassandraInboxCopies(
            Calls calls, CopyTables tables, String prefix, int replicas, String place, StartedKeyspace keyspace) {
        this.calls = calls;
        this.tables = tables;
        this.prefix = prefix;
        this.replicas = replicas;
        this.place = place;
        this.keyspace = keyspace;
    }

    /**
     * Returns a builder of copies.
     *
     * @param session the host's session; nothing closes it
     * @return a builder
     * @throws IllegalArgumentException if it is null
     */
    public static Builder builder(CqlSession session) {
        return new Builder(session);
    }

    /**
     * Creates the tables, if there are none. Idempotent. The resource {@code io/feedkit/cassandra/tables.cql} has the
     * same statements as a script.
     *
     * @param session the host's session
     * @param keyspace an existing keyspace
     * @throws IllegalArgumentException as {@link Builder#keyspace}
     * @throws StoreUnavailableException if the server refuses, or does not answer
     */
    public static void createTables(CqlSession session, String keyspace) {
        Calls calls = new Calls(nonNull("session", session), CREATION);
        new CopyTables(requireKeyspace(keyspace)).create().forEach(each -> calls.run("copies.createTables", each));
    }

    private static String requireKeyspace(String keyspace) {
        if (!nonNull("keyspace", keyspace).matches("[a-zA-Z0-9_]{1,48}")) {
            throw new IllegalArgumentException(
                    "keyspace must be 1 to 48 characters a-z, A-Z, 0-9 and _, but is \"" + keyspace + "\"");
        }
        return keyspace;
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                Set.of(Data.INBOX_COPIES),
                place,
                replicas + (replicas == 1 ? " replica" : " replicas")
                        + "; may be lost: inboxes are then built from the posts",
                keyspace.dangers()));
    }

    @Override
    public void claim(String identity) {
        nonNull("identity", identity);
        CopyStatements unused = keyspace.statements("copies.claim");
        Row answer = calls.run("copies.claim", tables.claimSource(), prefix, CopyTables.VERSION, identity)
                .get(0);
        if (answer.getBoolean("[applied]")) {
            return;
        }
        KeyspaceCheck.requireVersion(tables, prefix, answer.getInt("version"));
        String owner = String.valueOf(answer.getString("identity"));
        if (!owner.equals(identity)) {
            throw new ForeignStoreException(
                    "the copies of inboxes with the prefix " + prefix + " in the keyspace " + tables.keyspace(),
                    owner,
                    identity,
                    "use another prefix; if the database was moved, run " + tables.releaseSource(prefix));
        }
    }

    @Override
    public void store(List<Part> parts, long lifetimeMillis) {
        CopyStatements statements = keyspace.statements("copies.store");
        int seconds = seconds(lifetimeMillis);
        List<BoundStatement> inserts = parts.stream()
                .map(part -> statements
                        .insertPart()
                        .bind(
                                prefix,
                                part.reader(),
                                part.token(),
                                part.number(),
                                ByteBuffer.wrap(part.content()),
                                seconds)
                        .setQueryTimestamp(WriteClock.next()))
                .toList();
        List<List<Row>> unused = calls.all("copies.store", inserts);
    }

    @Override
    public void publish(List<Head> heads, long lifetimeMillis) {
        CopyStatements statements = keyspace.statements("copies.publish");
        int seconds = seconds(lifetimeMillis);
        List<BoundStatement> inserts = heads.stream()
                .map(head -> statements
                        .insertHead()
                        .bind(prefix, head.reader(), HeadCodec.encode(head), seconds)
                        .setQueryTimestamp(WriteClock.next()))
                .toList();
        List<List<Row>> unused = calls.all("copies.publish", inserts);
    }

    /** Cassandra counts lifetimes in seconds. */
    private static int seconds(long millis) {
        return (int) Math.max(1, Math.min(LONGEST_SECONDS, millis / 1000 + (millis % 1000 > 0 ? 1 : 0)));
    }

    @Override
    public List<Optional<Head>> heads(List<String> readers) {
        CopyStatements statements = keyspace.statements("copies.heads");
        List<List<Row>> rows = calls.all(
                "copies.heads",
                readers.stream()
                        .map(reader -> statements.selectHead().bind(prefix, reader))
                        .toList());
        List<Optional<Head>> heads = new ArrayList<>(readers.size());
        for (int i = 0; i < readers.size(); i++) {
            String reader = readers.get(i);
            heads.add(rows.get(i).stream()
                    .findFirst()
                    .flatMap(row -> HeadCodec.decode(reader, row.getByteBuffer("head"))));
        }
        return heads;
    }

    @Override
    public List<List<Part>> parts(List<Head> heads) {
        CopyStatements statements = keyspace.statements("copies.parts");
        List<List<Row>> rows = calls.all(
                "copies.parts",
                heads.stream()
                        .map(head -> statements.selectParts().bind(prefix, head.reader(), head.token()))
                        .toList());
        List<List<Part>> parts = new ArrayList<>(heads.size());
        for (int i = 0; i < heads.size(); i++) {
            Head head = heads.get(i);
            parts.add(rows.get(i).stream()
                    .flatMap(row -> part(head, row).stream())
                    .toList());
        }
        return parts;
    }

    private static Optional<Part> part(Head head, Row row) {
        return Optional.ofNullable(row.getByteBuffer("content"))
                .map(content -> new Part(head.reader(), head.token(), row.getInt("part"), HeadCodec.bytes(content)));
    }

    @Override
    public void drop(List<String> readers) {
        CopyStatements statements = keyspace.statements("copies.drop");
        List<List<Row>> rows = calls.all(
                "copies.drop",
                readers.stream()
                        .map(reader -> statements.selectHeadTimes().bind(prefix, reader))
                        .toList());
        List<BoundStatement> drops = new ArrayList<>();
        List<BoundStatement> deletions = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            String reader = readers.get(i);
            for (Row row : rows.get(i)) {
                HeadCodec.decode(reader, row.getByteBuffer("head")).ifPresent(head -> {
                    drops.add(dropping(statements, reader, row));
                    deletions.add(statements
                            .deleteParts()
                            .bind(prefix, reader, head.token())
                            .setQueryTimestamp(WriteClock.next()));
                });
            }
        }
        List<List<Row>> unused = calls.all("copies.drop", drops);
        List<List<Row>> unusedToo = calls.all("copies.drop", deletions);
    }

    /**
     * Replaces a head by one without content, which lives as long as the head would have. It is later than the head,
     * also if the clock of the machine that wrote the head is ahead.
     */
    private BoundStatement dropping(CopyStatements statements, String reader, Row head) {
        int seconds = head.isNull("remaining") ? 0 : head.getInt("remaining") + 1;
        return statements
                .insertHead()
                .bind(prefix, reader, HeadCodec.dropped(), seconds)
                .setQueryTimestamp(Math.max(WriteClock.next(), head.getLong("written") + 1));
    }

    @Override
    public String toString() {
        return "CassandraInboxCopies[" + tables.keyspace() + ", " + prefix + "]";
    }

    /**
     * Settings of copies. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before.
     */
    @Beta
    public static final class Builder {

        private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
        private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
        private static final int MOST_REPLICAS = 100;

        /** The least time that the check at start gives a statement. */
        private static final Duration START = Duration.ofSeconds(5);

        private final CqlSession session;
        private final SetOnce given = new SetOnce();
        private Optional<String> keyspace = Optional.empty();
        private String prefix = DEFAULT_PREFIX;
        private int replicas = DEFAULT_REPLICAS;
        private Duration timeout = DEFAULT_TIMEOUT;
        private boolean startWithoutServer = DEFAULT_START_WITHOUT_SERVER;

        private Builder(CqlSession session) {
            this.session = nonNull("session", session);
        }

        /**
         * Sets the keyspace. It has no default.
         *
         * @param keyspace an existing keyspace with the tables, by its name in the server's letter case: 1 to 48
         *     characters a-z, A-Z, 0-9 and {@code _}
         * @return this builder
         */
        public Builder keyspace(String keyspace) {
            this.keyspace = Optional.of(given.once("keyspace", requireKeyspace(keyspace)));
            return this;
        }

        /**
         * Sets the prefix of the keys. Stores with different prefixes do not see each other's copies. Each source of
         * truth needs its own prefix.
         *
         * @param prefix 1 to 30 characters a-z, A-Z, 0-9, {@code _}, {@code -} and {@code .};
         *     {@link CassandraInboxCopies#DEFAULT_PREFIX} by default
         * @return this builder
         */
        public Builder prefix(String prefix) {
            if (!nonNull("prefix", prefix).matches("[a-zA-Z0-9_.-]{1,30}")) {
                throw new IllegalArgumentException(
                        "prefix must be 1 to 30 characters a-z, A-Z, 0-9, _, - and ., but is \"" + prefix + "\"");
            }
            this.prefix = given.once("prefix", prefix);
            return this;
        }

        /**
         * Sets how many replicas the keyspace must have in the local datacenter.
         *
         * @param replicas 1 to 100; {@link CassandraInboxCopies#DEFAULT_REPLICAS} by default
         * @return this builder
         */
        public Builder replicas(int replicas) {
            this.replicas = given.once("replicas", between("replicas", replicas, 1, MOST_REPLICAS));
            return this;
        }

        /**
         * Limits how long a statement waits for an answer. The checks of {@link #build} wait at least five seconds.
         *
         * @param timeout 10 milliseconds to a minute; {@link CassandraInboxCopies#DEFAULT_TIMEOUT} by default
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            this.timeout = given.once("timeout", between("timeout", timeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT));
            return this;
        }

        /**
         * Sets whether {@link #build()} succeeds although the server does not answer, so that a host can start without
         * it. The session itself must exist: the driver has {@code advanced.reconnect-on-init} for that.
         *
         * <p>The first call that reaches the server then runs the check at start. Until it has passed, every call fails
         * with {@link StoreUnavailableException}, also if the check refuses the keyspace. The causes then include the
         * exception that {@link #build()} would have thrown.
         *
         * @param startWithoutServer {@link CassandraInboxCopies#DEFAULT_START_WITHOUT_SERVER} by default
         * @return this builder
         */
        public Builder startWithoutServer(boolean startWithoutServer) {
            this.startWithoutServer = given.once("startWithoutServer", startWithoutServer);
            return this;
        }

        /**
         * Checks the keyspace, and prepares the statements.
         *
         * @return the copies
         * @throws IllegalStateException if the keyspace is not set
         * @throws UnusableKeyspaceException if the keyspace or a table is missing, the tables have another version, or
         *     the replication is not the wanted one; the message names the remedy
         * @throws StoreUnavailableException if the server does not answer; with {@link #startWithoutServer} only if the
         *     failure lasts until an operator changes the server, or the caller was interrupted
         */
        public CassandraInboxCopies build() {
            CopyTables tables =
                    new CopyTables(keyspace.orElseThrow(() -> new IllegalStateException("keyspace is not set")));
            Calls calls = new Calls(session, timeout);
            return new CassandraInboxCopies(
                    calls, tables, prefix, replicas, place(tables.keyspace()), started(calls, tables));
        }

        private StartedKeyspace started(Calls calls, CopyTables tables) {
            Calls patient = new Calls(session, timeout.compareTo(START) < 0 ? START : timeout);
            try {
                return StartedKeyspace.of(prefix, new KeyspaceCheck(patient, calls, tables, prefix, replicas).run());
            } catch (StoreUnavailableException e) {
                if (!startWithoutServer
                        || !e.isRetryable()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                KeyspaceCheck check = new KeyspaceCheck(calls, calls, tables, prefix, replicas);
                return StartedKeyspace.deferred(prefix, check::run, e);
            }
        }

        private String place(String keyspaceName) {
            List<String> nodes = session.getMetadata().getNodes().values().stream()
                    .map(Builder::address)
                    .sorted()
                    .toList();
            return "Cassandra at " + nodes.stream().limit(MOST_NODES_SHOWN).collect(Collectors.joining(", "))
                    + (nodes.size() > MOST_NODES_SHOWN ? " and others" : "")
                    + ", keyspace " + keyspaceName + ", prefix " + prefix;
        }

        /** An address without a name is printed as /127.0.0.1:9042. */
        private static String address(Node node) {
            String text = node.getEndPoint().toString();
            return text.substring(text.indexOf('/') + 1);
        }
    }
}
