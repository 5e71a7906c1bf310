package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.posts.PostSource;
import io.feedkit.jdbc.internal.register.JdbcPulledRegister;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.HostConnections;
import io.feedkit.jdbc.internal.sql.IdWalk;
import io.feedkit.jdbc.internal.sql.SourceTable;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.TransactionalOutbox;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The outboxes in a database. Thread-safe. */
public final class JdbcOutbox implements TransactionalOutbox {

    private final Database database;
    private final SourceTable source;
    private final JdbcFanoutLog log;
    private final JdbcPulledRegister pulled;
    private final PostTable postTable;
    private final PostTable recordingTable;
    private final JdbcPostEventLog events;
    private final PostSource posts;
    private final ArchivableRows rows;
    private final LastAppends lastAppends;
    private final SettledMark mark;

    /** Empty where the default must do: other databases, and a table of the host's, whose rows change by themselves. */
    private final Optional<ChangedPosts> changes;

    private final IdWalk authorWalk;
    /** Whether one statement records a post. True in PostgreSQL, unless the host's table has to be read, too. */
    private final boolean oneStatementEach;

    private final boolean holdsBack;

    /** Creates the outboxes in a database, with its log of tasks. */
    public JdbcOutbox(Database database, JdbcFanoutLog log) {
        this(database, log, Optional.empty());
    }

    /**
     * Creates the outboxes in a database, with its log of tasks. Posts are read from a table of the host's, if given.
     */
    public JdbcOutbox(Database database, JdbcFanoutLog log, Optional<HostPosts> host) {
        this.database = database;
        this.source = new SourceTable(database);
        this.log = log;
        this.pulled = new JdbcPulledRegister(database);
        this.postTable = new PostTable(database, host.map(HostPostLookup::new), false);
        this.recordingTable = new PostTable(database, host.map(HostPostLookup::new), true);
        this.events = new JdbcPostEventLog(database);
        Database reading = host.map(HostPosts::database).orElse(database);
        this.posts = new PostSource(reading, host.map(HostPosts::withThoseAhead).orElse(database));
        this.rows = new ArchivableRows(database, host.isPresent() ? new PostSource(database, database) : posts);
        this.lastAppends = new LastAppends(database, host.isPresent());
        this.holdsBack = host.isPresent();
        this.oneStatementEach = database.dialect() == Dialect.POSTGRESQL && !holdsBack;
        this.mark = new SettledMark(database);
        this.changes = oneStatementEach ? Optional.of(new ChangedPosts(database)) : Optional.empty();
        this.authorWalk = IdWalk.ofRepeated(database, "outbox.forEachAuthor", "${post}", "author");
    }

    /** Creates a view of the same data that records events. */
    private JdbcOutbox(JdbcOutbox other) {
        this.database = other.database;
        this.source = other.source;
        this.log = other.log;
        this.pulled = other.pulled;
        this.postTable = other.recordingTable;
        this.recordingTable = other.recordingTable;
        this.events = other.events;
        this.posts = other.posts;
        this.rows = other.rows;
        this.lastAppends = other.lastAppends;
        this.holdsBack = other.holdsBack;
        this.oneStatementEach = other.oneStatementEach;
        this.mark = other.mark;
        this.changes = other.changes;
        this.authorWalk = other.authorWalk;
    }

    @Override
    public Optional<EventRecording> recordingEvents() {
        return Optional.of(new EventRecording(new JdbcOutbox(this), events));
    }

    @Override
    public Optional<ArchiveSource> archiveSource() {
        return Optional.of(new JdbcArchiveSource(database, source, rows, postTable, this::connection));
    }

    @Override
    public String identity() {
        return source.identity();
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        if (publications.isEmpty()) {
            return List.of();
        }
        return oneStatementEach && publications.size() == 1
                ? List.of(append(publications.get(0)))
                : database.transaction("outbox.append", handle -> postTable.append(handle, publications));
    }

    @Override
    public List<Appended> appendImported(List<Post> imported, FanoutMode mode) {
        return imported.isEmpty()
                ? List.of()
                : database.transaction("outbox.append", handle -> postTable.appendImported(handle, imported, mode));
    }

    /**
     * Appends a new post in one round trip. The second statement is a separate unit of work. Otherwise its failure
     * would hide that the first statement was committed. If the row of the key moves to the archive between the two,
     * the post is inserted again.
     */
    private Appended append(Publication publication) {
        for (int tried = 1; true; tried++) {
            PostTable.requireFew(tried, publication.post().key());
            if (database.statement("outbox.append", handle -> postTable.insert(handle, publication))) {
                return new Appended(Status.NEW, publication.post());
            }
            Optional<Appended> known = database.read("outbox.append", handle -> postTable.known(handle, publication));
            if (known.isPresent()) {
                return known.get();
            }
        }
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        return keys.isEmpty()
                ? List.of()
                : database.transaction("outbox.delete", handle -> postTable.delete(handle, keys));
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return authors.isEmpty()
                ? List.of()
                : database.read("outbox.newest", handle -> posts.newest(handle, authors, range, each));
    }

    @Override
    public List<Post> page(PageQuery query) {
        return query.authors().isEmpty()
                ? List.of()
                : database.read("outbox.page", handle -> posts.page(handle, query));
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return keys.isEmpty() ? Map.of() : database.read("outbox.existing", handle -> posts.existing(handle, keys));
    }

    @Override
    public Set<PostKey> tombstones(Collection<PostKey> keys) {
        return keys.isEmpty()
                ? Set.of()
                : database.read("outbox.tombstones", handle -> postTable.tombstones(handle, keys));
    }

    @Override
    public List<Counted> count(List<CountQuery> queries) {
        return queries.isEmpty() ? List.of() : database.read("outbox.count", handle -> posts.count(handle, queries));
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        return authors.isEmpty()
                ? Map.of()
                : database.read("outbox.lastAppended", handle -> lastAppends.of(handle, authors));
    }

    @Override
    public List<Optional<List<Post>>> appendedSince(List<String> authors, long since, Position from, int each) {
        if (authors.isEmpty()) {
            return List.of();
        }
        return changes.isEmpty()
                ? TransactionalOutbox.super.appendedSince(authors, since, from, each)
                : database.read(
                        "outbox.appendedSince", handle -> changes.get().appended(handle, authors, since, from, each));
    }

    @Override
    public Optional<Set<PostKey>> deletedSince(Collection<String> authors, long since, int each) {
        if (authors.isEmpty()) {
            return Optional.of(Set.of());
        }
        return changes.flatMap(
                found -> database.read("outbox.deletedSince", handle -> found.deleted(handle, authors, since, each)));
    }

    @Override
    public void forEachAuthor(Predicate<List<String>> visitor) {
        authorWalk.each(visitor);
    }

    @Override
    public long settledMark() {
        return mark.read();
    }

    @Override
    public boolean holdsBack() {
        return holdsBack;
    }

    @Override
    public JdbcPulledRegister pulled() {
        return pulled;
    }

    @Override
    public FanoutLog fanout() {
        return log;
    }

    @Override
    public boolean canJoin(Class<? extends PublishTransaction> type) {
        return JdbcTransaction.class.isAssignableFrom(type);
    }

    @Override
    public OutboxWriter joining(PublishTransaction transaction) {
        return new JoinedOutbox(database, postTable, connection(transaction));
    }

    @Override
    public Set<String> pulledAmong(PublishTransaction transaction, Collection<String> authors) {
        return pulled.registered(database.readingIn(connection(transaction)), authors);
    }

    @Override
    public long invisibleSince(PublishTransaction transaction) {
        return log.invisibleSince(database.readingIn(connection(transaction)));
    }

    private Connection connection(PublishTransaction transaction) {
        if (!(transaction instanceof JdbcTransaction own)) {
            throw new IllegalArgumentException(
                    "transaction must be a JdbcTransaction on the database of the posts, but is of type "
                            + transaction.getClass().getSimpleName());
        }
        return HostConnections.require("outbox.joining", own.connection(), database);
    }
}
