package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jdbi.v3.core.Handle;

/** Rows of {@code counter_ticket}: the tickets that are open. Their numbers are drawn, so that the owner's other tickets need no lock. */
final class Tickets {

    private record Ticket(Owner owner, long number) {}

    private final Database database;
    private final String openSql;
    private final String takeSql;
    private final String oldSql;

    Tickets(Database database) {
        this.database = database;
        openSql = database.sql(
                "INSERT INTO ${counter_ticket} (space, owner, ticket, opened_at) VALUES (:space, :owner, :ticket, ${written})");
        takeSql = database.sql(
                "DELETE FROM ${counter_ticket} WHERE space = :space AND owner = :owner AND ticket = :ticket");
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

    /** Takes a ticket, so that nobody else can. Answers whether it was open. */
    boolean take(Handle handle, Owner owner, long ticket) {
        return database.update(handle, takeSql)
                        .bind("space", owner.space().name())
                        .bind("owner", owner.id())
                        .bind("ticket", ticket)
                        .execute()
                > 0;
    }

    /** Removes tickets that were opened before a time, the oldest first. Answers how many. */
    int purge(Handle handle, long until, int limit) {
        List<Ticket> old = database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) ->
                        new Ticket(new Owner(Space.valueOf(row.getString(1)), row.getString(2)), row.getLong(3)))
                .list();
        run(handle, takeSql, old);
        return old.size();
    }

    private void run(Handle handle, String sql, List<Ticket> tickets) {
        if (!tickets.isEmpty()) {
            Batches.run(
                    database,
                    handle,
                    sql,
                    tickets,
                    (batch, ticket) -> batch.bind(
                                    "space", ticket.owner().space().name())
                            .bind("owner", ticket.owner().id())
                            .bind("ticket", ticket.number()));
        }
    }
}
