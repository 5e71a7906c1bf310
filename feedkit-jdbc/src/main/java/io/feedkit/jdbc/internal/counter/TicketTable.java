package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Redemption;
import io.feedkit.spi.CounterStore.Space;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Rows of {@code counter_ticket}: the tickets that are open. Their numbers are drawn, so that the owner's other tickets need no lock. */
final class TicketTable {

    private record Ticket(Owner owner, long number) {}

    private static final Comparator<Ticket> ORDER =
            Comparator.comparing(Ticket::owner, CellTable.OWNERS).thenComparing(Ticket::number);

    private final Database database;
    private final String openSql;
    private final String takeSql;
    private final String removeSql;
    private final String oldSql;

    TicketTable(Database database) {
        this.database = database;
        openSql = database.sql(
                "INSERT INTO ${counter_ticket} (space, owner, ticket, opened_at) VALUES (:space, :owner, :ticket, ${written})");
        removeSql = database.sql(
                "DELETE FROM ${counter_ticket} WHERE space = :space AND owner = :owner AND ticket = :ticket");
        takeSql = removeSql + " AND opened_at > :since";
        oldSql = database.sql("SELECT space, owner, ticket FROM ${counter_ticket} WHERE opened_at <= :at"
                + " ORDER BY opened_at LIMIT :limit");
    }

    List<Long> open(Handle handle, List<Owner> owners) {
        List<Ticket> tickets = new ArrayList<>(owners.size());
        owners.forEach(owner ->
                tickets.add(new Ticket(owner, ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE))));
        run(handle, openSql, tickets);
        return tickets.stream().map(Ticket::number).toList();
    }

    /** Takes tickets that were opened after a time, so that nobody else can. Answers for each whether it was open. */
    List<Boolean> take(Handle handle, List<Redemption> redemptions, long since) {
        List<Ticket> tickets = redemptions.stream()
                .map(each -> new Ticket(each.key().owner(), each.ticket()))
                .toList();
        // Taken in one order, so that those who take the same ones do not wait for each other.
        List<Ticket> sorted = tickets.stream().distinct().sorted(ORDER).toList();
        Set<Ticket> open = new HashSet<>();
        int[] taken = Batches.run(database, handle, takeSql, sorted, (batch, ticket) -> {
            bind(batch, ticket);
            batch.bind("since", since);
        });
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] > 0) {
                open.add(sorted.get(i));
            }
        }
        return tickets.stream().map(open::remove).toList();
    }

    /** Removes tickets that were opened before a time, the oldest first. Answers how many. */
    int purge(Handle handle, long until, int limit) {
        List<Ticket> old = database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) ->
                        new Ticket(new Owner(Space.valueOf(row.getString(1)), row.getString(2)), row.getLong(3)))
                .list();
        run(handle, removeSql, old);
        return old.size();
    }

    private void run(Handle handle, String sql, List<Ticket> tickets) {
        if (!tickets.isEmpty()) {
            Batches.run(database, handle, sql, tickets, TicketTable::bind);
        }
    }

    private static void bind(PreparedBatch batch, Ticket ticket) {
        batch.bind("space", ticket.owner().space().name())
                .bind("owner", ticket.owner().id())
                .bind("ticket", ticket.number());
    }
}
