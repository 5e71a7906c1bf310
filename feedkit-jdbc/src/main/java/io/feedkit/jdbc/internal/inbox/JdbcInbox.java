package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.jdbc.internal.sql.Tokens;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The inboxes in SQL: a row of the table {@code inbox} for each reader who has an inbox, an epoch or notes, and a row of {@code inbox_entry} for each entry.
 *
 * <p>Every step that writes locks the reader's row of {@code inbox} first, and reads come from one statement, which sees one moment; so each is atomic for a
 * reader. The row counts the entries exactly, so that nobody has to count them to know whether an inbox is full, or how far up its lowest served entry is.
 *
 * <p>An inbox whose window is over is taken for absent by all. It stays so: a delivery that passes it by closes it, so that a clock set back, or a renewal that
 * looked at the clock a moment earlier, does not bring an inbox back that lacks what was refused. Its entries are deleted by whoever opens the next, or by {@link InboxPurge}.
 *
 * <p>A renewal is recorded only if the last one is older than a ten-thousandth of the live window, and at most ten seconds; so reads seldom write. To
 * {@link Inbox.Delivery#seenSince} and to the window's end the reader was last seen when it was recorded.
 */
public final class JdbcInbox implements Inbox {

    private final boolean swiftly;
    private final SwiftDelivery swift;
    private final SafeDelivery safe;
    private final SliceReader slices;
    private final CountReader counts;
    private final Openings openings;
    private final Removals removals;
    private final Follows follows;

    /** The inboxes in a database, within some limits. */
    public JdbcInbox(Database database, InboxLimits limits) {
        InboxRows rows = new InboxRows(database);
        InboxEntries entries = new InboxEntries(database);
        InboxNotes notes = new InboxNotes(database);
        Tokens tokens = new Tokens();
        swiftly = database.dialect() == Dialect.POSTGRESQL;
        swift = new SwiftDelivery(database, rows, limits);
        safe = new SafeDelivery(database, rows, entries, limits);
        slices = new SliceReader(database, limits);
        counts = new CountReader(database, limits);
        openings = new Openings(database, rows, entries, tokens, limits);
        removals = new Removals(database, rows, entries, notes);
        follows = new Follows(database, rows, entries, notes, tokens, limits);
    }

    @Override
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return MultiTransaction.run("inbox.deliver", transactions -> deliver(deliveries, transactions));
    }

    private List<List<Outcome>> deliver(List<Delivery> deliveries, MultiTransaction transactions) {
        Outcome[][] answers = new Outcome[deliveries.size()][];
        for (int d = 0; d < answers.length; d++) {
            answers[d] = new Outcome[deliveries.get(d).readers().size()];
        }
        for (List<Push> round : Push.rounds(deliveries)) {
            Map<String, Outcome> outcomes = deliverRound(round, transactions);
            round.forEach(push -> answers[push.delivery()][push.place()] = outcomes.get(push.reader()));
        }
        List<List<Outcome>> outcomes = new ArrayList<>(answers.length);
        for (Outcome[] answer : answers) {
            outcomes.add(Collections.unmodifiableList(Arrays.asList(answer)));
        }
        return Collections.unmodifiableList(outcomes);
    }

    private Map<String, Outcome> deliverRound(List<Push> round, MultiTransaction transactions) {
        Map<String, Outcome> outcomes = new HashMap<>();
        List<Push> left = swiftly ? swift.deliver(round, outcomes, transactions) : round;
        outcomes.putAll(safe.deliver(left));
        transactions.committed(left.size());
        return outcomes;
    }

    @Override
    public List<Slice> slice(List<SliceQuery> queries) {
        return queries.isEmpty() ? List.of() : slices.slice(queries);
    }

    @Override
    public List<Count> count(List<CountQuery> queries) {
        return queries.isEmpty() ? List.of() : counts.count(queries);
    }

    @Override
    public Opening open(String reader, long leaseMillis, boolean replace) {
        return openings.open(reader, leaseMillis, replace);
    }

    @Override
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return openings.merge(reader, generation, posts, floor);
    }

    @Override
    public boolean complete(String reader, long generation, long mark, long followees) {
        return openings.complete(reader, generation, mark, followees);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        removals.retract(retractions);
    }

    @Override
    public boolean purge(String reader, Collection<String> authors, long token) {
        return removals.purge(reader, authors, token);
    }

    @Override
    public long beginFollow(String reader, Collection<String> authors) {
        return follows.begin(reader, authors);
    }

    @Override
    public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        return follows.end(reader, authors, token, toggled);
    }

    @Override
    public void drop(List<String> readers) {
        removals.drop(readers);
    }
}
