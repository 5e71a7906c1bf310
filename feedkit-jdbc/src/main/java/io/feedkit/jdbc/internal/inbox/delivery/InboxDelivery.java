package io.feedkit.jdbc.internal.inbox.delivery;

import io.feedkit.jdbc.internal.inbox.table.EntryTable;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Delivers posts to inboxes, in rounds with one post for each reader. On PostgreSQL one statement delivers most of a
 * round. The rest, and all rounds on other databases, are delivered with locks.
 */
public final class InboxDelivery {

    private final Optional<PostgresBulkDelivery> bulk;
    private final LockingDelivery locking;

    /** Creates a delivery with limits. */
    public InboxDelivery(Database database, InboxTable inboxes, EntryTable entries, InboxLimits limits) {
        bulk = database.dialect() == Dialect.POSTGRESQL
                ? Optional.of(new PostgresBulkDelivery(database, inboxes, limits))
                : Optional.empty();
        locking = new LockingDelivery(database, inboxes, entries, limits);
    }

    /** Delivers, and returns the outcome for each reader of each delivery. */
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return MultiTransaction.run("inbox.deliver", transactions -> deliver(deliveries, transactions));
    }

    private List<List<Outcome>> deliver(List<Delivery> deliveries, MultiTransaction transactions) {
        Outcome[][] answers = new Outcome[deliveries.size()][];
        for (int d = 0; d < answers.length; d++) {
            answers[d] = new Outcome[deliveries.get(d).readers().size()];
        }
        for (List<InboxInsert> round : InboxInsert.rounds(deliveries)) {
            Map<String, Outcome> outcomes = deliverRound(round, transactions);
            round.forEach(insert -> answers[insert.delivery()][insert.place()] = outcomes.get(insert.reader()));
        }
        List<List<Outcome>> outcomes = new ArrayList<>(answers.length);
        for (Outcome[] answer : answers) {
            outcomes.add(Collections.unmodifiableList(Arrays.asList(answer)));
        }
        return Collections.unmodifiableList(outcomes);
    }

    private Map<String, Outcome> deliverRound(List<InboxInsert> round, MultiTransaction transactions) {
        Map<String, Outcome> outcomes = new HashMap<>();
        List<InboxInsert> left =
                bulk.map(once -> once.deliver(round, outcomes, transactions)).orElse(round);
        outcomes.putAll(locking.deliver(left));
        transactions.committed(left.size());
        return outcomes;
    }
}
