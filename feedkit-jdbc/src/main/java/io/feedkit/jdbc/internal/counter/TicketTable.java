package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** The table {@code counter_ticket}: the open tickets. Their numbers are random, so no lock on the owner is needed. */
final class TicketTable {

    private record Ticket(Owner owner, long number) {}

    private static final Comparator<Ticket> ORDER =
            Comparator.comparing(Ticket::owner, CellTable.BY_OWNER).thenComparing(Ticket::number);

    private final Database database;
    private final String openSql;
    private final String takeSql;
    private final String removeSql;
    private final String oldSql;

    TicketTable(Database database) {
        this.database = database;
        openSql = database.sql("INSERT INTO ${counter_ticket} (space, owner, ticket, opened_at)"
                + " VALUES (:space, :owner, :ticket, ${written})");
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

    /**
     * Removes tickets that were opened after a time, and returns for each whether it was open. Nobody else can take
     * them.
     */
    List<Boolean> take(Handle handle, List<Redemption> redemptions, long since) {
        List<Ticket> tickets = redemptions.stream()
                .map(each -> new Ticket(each.key().owner(), each.ticket()))
                .toList();
        // All transactions take tickets in one order, and so do not deadlock.
        List<Ticket> sorted = tickets.stream().distinct().sorted(ORDER).toList();
        Set<Ticket> open = new HashSet<>();
        int[] taken = Batches.run(
                database,
                handle,
                takeSql,
                sorted,
                (batch, ticket) -> bind(batch, ticket).bind("since", since));
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] > 0) {
                open.add(sorted.get(i));
            }
        }
        return tickets.stream().map(open::remove).toList();
    }

    /** Removes tickets that were opened up to a time, the oldest first, and returns their number. */
    int purge(Handle handle, long until, int limit) {
        List<Ticket> old = database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) -> new Ticket(CellTable.owner(row), row.getLong(3)))
                .list();
        run(handle, removeSql, old);
        return old.size();
    }

    private void run(Handle handle, String sql, List<Ticket> tickets) {
        Batches.run(database, handle, sql, tickets, TicketTable::bind);
    }

    private static PreparedBatch bind(PreparedBatch batch, Ticket ticket) {
        return CellTable.bind(batch, ticket.owner()).bind("ticket", ticket.number());
    }
}
