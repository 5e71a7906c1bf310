package io.feedkit.jdbc;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.internal.check.Addresses;
import io.feedkit.jdbc.internal.archive.ArchiveTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.SchemaScripts;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.jdbc.internal.store.DurabilityCheck;
import io.feedkit.jdbc.internal.store.StoreChecks;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * An archive of old posts in a SQL database: H2, PostgreSQL, MySQL or MariaDB. It may be the database of the posts, or
 * another one. The tables must exist; {@link #createTables} creates them:
 *
 * <pre>{@code
 * JdbcPostArchive.createTables(archiveDatabase);
 * FeedEngine feed = FeedEngine.builder(store)
 *         .archive(JdbcPostArchive.of(archiveDatabase))
 *         .build();
 * }</pre>
 *
 * <p>A publish in a transaction of the host may have to look a post up in the archive. If the archive is in the
 * database of that transaction, it uses the transaction's connection. Otherwise it uses the archive's data source,
 * which must then have connections of its own. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class JdbcPostArchive implements PostArchive {

    /** The version of the tables that this library needs. */
    private static final int VERSION = 1;

    private final Database database;
    private final ArchiveTable table;
    private final DurabilityCheck durability;

    private JdbcPostArchive(Database database) {
        this.database = database;
        this.table = new ArchiveTable(database);
        this.durability = DurabilityCheck.run(database);
    }

    /**
     * Opens the archive in the tables with the default prefix, in the connections' own schema.
     *
     * @param dataSource the database of the archive; it belongs to the host
     * @return the archive
     * @throws IllegalArgumentException if FeedKit cannot use the database
     * @throws SchemaVersionException if the tables are missing or have another version; the message names the remedy
     * @throws StoreUnavailableException if the database does not answer
     */
    public static JdbcPostArchive of(DataSource dataSource) {
        return of(dataSource, "", JdbcSchema.DEFAULT_PREFIX);
    }

    /**
     * Opens the archive in the tables with a prefix in a schema.
     *
     * @param dataSource the database of the archive; it belongs to the host
     * @param schema an existing schema (in MySQL and MariaDB a database); {@code ""} for the connections' own
     * @param prefix the prefix of the tables' names
     * @return the archive
     * @throws IllegalArgumentException if FeedKit cannot use the database, or as {@link JdbcSchema#of}
     * @throws SchemaVersionException if the tables are missing or have another version; the message names the remedy
     * @throws StoreUnavailableException if the database does not answer
     */
    public static JdbcPostArchive of(DataSource dataSource, String schema, String prefix) {
        TableNames names = names(schema, prefix);
        StoreChecks.requireOwnTransactions(nonNull("dataSource", dataSource));
        Database database = new Database(dataSource, names, Optional.empty(), JdbcFeedStore.DEFAULT_TIMEOUT);
        StoreChecks.requireVersion(database);
        onScripts(dataSource, names, (connection, scripts) -> {
            int found = scripts.version(connection).orElse(0);
            if (found != VERSION) {
                throw new SchemaVersionException(
                        names.qualifier() + "archive_",
                        found,
                        VERSION,
                        found > VERSION
                                ? "use a later version of the library feedkit-jdbc"
                                : "call JdbcPostArchive.createTables(), or run " + scripts.location());
            }
        });
        return new JdbcPostArchive(database);
    }

    /**
     * Creates the tables with the default prefix, if there are none. Idempotent.
     *
     * @param dataSource the database of the archive
     * @throws StoreUnavailableException if the database refuses
     */
    public static void createTables(DataSource dataSource) {
        createTables(dataSource, "", JdbcSchema.DEFAULT_PREFIX);
    }

    /**
     * Creates the tables with a prefix in a schema, if there are none. Idempotent.
     *
     * @param dataSource the database of the archive
     * @param schema as in {@link #of(DataSource, String, String)}
     * @param prefix as in {@link #of(DataSource, String, String)}
     * @throws IllegalArgumentException as {@link JdbcSchema#of}
     * @throws StoreUnavailableException if the database refuses
     */
    public static void createTables(DataSource dataSource, String schema, String prefix) {
        onScripts(nonNull("dataSource", dataSource), names(schema, prefix), (connection, scripts) -> {
            if (scripts.version(connection).isEmpty()) {
                scripts.run(connection, 0);
            }
        });
    }

    private static TableNames names(String schema, String prefix) {
        return new TableNames(nonNull("schema", schema), nonNull("prefix", prefix));
    }

    /** Work with a connection and the scripts of its database. */
    private interface Work {
        void with(Connection connection, SchemaScripts scripts) throws SQLException;
    }

    private static void onScripts(DataSource dataSource, TableNames names, Work work) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                work.with(connection, SchemaScripts.ofArchive(Dialect.of(connection), names, VERSION));
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException("archive.schema", Addresses.clean(e));
        }
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                Set.of(Data.ARCHIVE),
                database.place() + ", " + database,
                durability.durability(),
                durability.dangers()));
    }

    @Override
    public void claim(String identity) {
        table.claim(nonNull("identity", identity));
    }

    @Override
    public void store(List<Post> posts) {
        table.store(posts);
    }

    @Override
    public void delete(Collection<PostKey> keys) {
        table.delete(keys);
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return table.newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return table.page(query);
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return table.existing(keys);
    }

    @Override
    public Map<PostKey, Post> existing(PublishTransaction transaction, Collection<PostKey> keys) {
        return transaction instanceof JdbcTransaction own && database.isAt(own.connection())
                ? table.existing(database.readingIn(own.connection()), keys)
                : table.existing(keys);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The database reads an entry of an index for each post.
     */
    @Override
    public long size() {
        return table.size();
    }

    @Override
    public String toString() {
        return "JdbcPostArchive[" + database + "]";
    }
}
