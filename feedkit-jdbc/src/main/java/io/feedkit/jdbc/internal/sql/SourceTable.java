package io.feedkit.jdbc.internal.sql;

import io.feedkit.ForeignStoreException;
import java.util.Optional;
import java.util.UUID;

/**
 * The table {@code source}: the identity of the source of truth in these tables, the identity of the source of truth
 * that the inboxes in them belong to, the policy of all engines, the archive boundary, and the lease of the
 * engine that moves posts to the archive. A row is created when it is first needed. The identities are cached.
 * Thread-safe.
 */
public final class SourceTable {

    /** The row of the source of truth in these tables. */
    public static final String TRUTH = "truth";

    /** The row of the source of truth that the inboxes belong to. */
    public static final String INBOX = "inbox";

    private static final String POLICY = "policy";

    /** The row of the archive boundary: milliseconds, as text. */
    private static final String BOUNDARY = "archive";

    /** The row of the mover's lease: its end in milliseconds, a slash, and its holder. */
    private static final String MOVER = "mover";

    private final Database database;
    private final String select;
    private final String update;
    private final String insert;
    private final String raise;
    private final String exchange;
    private volatile String identity = "";
    private volatile String claimed = "";

    /** Prepares the statements for a database. */
    public SourceTable(Database database) {
        this.database = database;
        select = database.sql("SELECT identity FROM ${source} WHERE part = :part");
        update = database.sql("UPDATE ${source} SET identity = :identity WHERE part = :part");
        insert = database.sql("INSERT INTO ${source} (part, identity) VALUES (:part, :identity)");
        exchange = update + " AND identity = :old";
        raise = update + " AND " + database.dialect().number("identity") + " < :millis";
    }

    /** The name of the policy that all engines use; {@code ""} if there is none. */
    public String policy() {
        return find(POLICY).orElse("");
    }

    /** Sets the name of the policy that all engines use. */
    public void policy(String name) {
        if (!replace(POLICY, name) && !findOrInsert(POLICY, name).equals(name)) {
            replace(POLICY, name);
        }
    }

    /** The archive boundary; {@code 0} if there is none. */
    public long archiveBoundary() {
        return archiveBoundary(database);
    }

    /** The archive boundary, as another view of the same database sees it. */
    public long archiveBoundary(Database reading) {
        return find(reading, BOUNDARY).map(Long::valueOf).orElse(0L);
    }

    /** Raises the archive boundary, and returns it as it is then. */
    public long raiseArchiveBoundary(long millis) {
        String text = Long.toString(millis);
        if (Long.parseLong(findOrInsert(BOUNDARY, text)) < millis) {
            database.transaction(
                    "source.raise",
                    handle -> database.update(handle, raise)
                            .bind("part", BOUNDARY)
                            .bind("identity", text)
                            .bind("millis", millis)
                            .execute());
        }
        return archiveBoundary();
    }

    /**
     * Leases the work of the mover, unless somebody else has the lease.
     *
     * @return whether the holder has it
     */
    public boolean leaseMover(String holder, long millis) {
        long now = database.read("source.lease", database::now);
        String wanted = now + millis + "/" + holder;
        String found = findOrInsert(MOVER, wanted);
        int slash = found.indexOf('/');
        boolean isOthers = !found.substring(slash + 1).equals(holder);
        if (isOthers && now < Long.parseLong(found.substring(0, slash))) {
            return false;
        }
        return found.equals(wanted) || exchangeLease(found, wanted);
    }

    private boolean exchangeLease(String old, String wanted) {
        return database.transaction(
                "source.lease",
                handle -> database.update(handle, exchange)
                                .bind("part", MOVER)
                                .bind("old", old)
                                .bind("identity", wanted)
                                .execute()
                        > 0);
    }

    private boolean replace(String part, String value) {
        return database.transaction(
                "source.replace",
                handle -> database.update(handle, update)
                                .bind("part", part)
                                .bind("identity", value)
                                .execute()
                        > 0);
    }

    /** The identity of the source of truth in these tables. */
    public String identity() {
        if (identity.isEmpty()) {
            identity = findOrInsert(TRUTH, UUID.randomUUID().toString());
        }
        return identity;
    }

    /**
     * Claims the inboxes for a source of truth.
     *
     * @throws ForeignStoreException if they belong to another one
     */
    public void claimInboxes(String source) {
        if (claimed.equals(source)) {
            return;
        }
        String owner = findOrInsert(INBOX, source);
        if (!owner.equals(source)) {
            throw new ForeignStoreException(
                    "the inboxes of the table " + database.sql("${source}"),
                    owner,
                    source,
                    "keep them in tables with another prefix, or call JdbcSchema.adoptInboxes if the database was"
                            + " copied or restored (docs/operations.md)");
        }
        claimed = source;
    }

    /** Returns the value of a part. If it has none, records the given one, unless another process is first. */
    private String findOrInsert(String part, String given) {
        return find(part).orElseGet(() -> {
            database.onceOnly(
                    "source.claim",
                    handle -> database.update(handle, insert)
                                    .bind("part", part)
                                    .bind("identity", given)
                                    .execute()
                            == 1);
            return find(part)
                    .orElseThrow(() -> new IllegalStateException("the row " + part + " of the table "
                            + database.sql("${source}") + " was deleted right after it was inserted"));
        });
    }

    private Optional<String> find(String part) {
        return find(database, part);
    }

    private Optional<String> find(Database reading, String part) {
        return reading.read(
                "source.find",
                handle -> reading.query(handle, select)
                        .bind("part", part)
                        .mapTo(String.class)
                        .findOne());
    }
}
