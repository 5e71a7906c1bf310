package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.TicketNumbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The table {@code counter_ticket}: the open tickets. Their numbers are made of the time and random bits, without a
 * lock on the owner. If a number is in use, another one is drawn.
 */
final class TicketTable {

    private record Ticket(Owner owner, long number) {}

    private static final Comparator<Ticket> ORDER =
            Comparator.comparing(Ticket::owner, CellTable.BY_OWNER).thenComparing(Ticket::number);

    private static final String KEY = "space = :space AND owner = :owner AND ticket = :ticket";

    private static final TicketNumbers NUMBERS = new TicketNumbers(TicketNumbers.MOST_LOWER_BITS);

    private final Database database;
    private final LongSupplier numbers;
    private final String openSql;
    private final String takeSql;
    private final String removeSql;
    private final String oldSql;

    TicketTable(Database database) {
        this(database, NUMBERS::next);
    }

    /** Tickets whose numbers come from a supplier. A number that is in use is skipped. */
    TicketTable(Database database, LongSupplier numbers) {
        this.database = database;
        this.numbers = numbers;
        openSql = database.sql(open(database.dialect()));
        removeSql = database.sql("DELETE FROM ${counter_ticket} WHERE " + KEY);
        takeSql = removeSql + " AND kept_until > :now";
        oldSql = database.sql("SELECT space, owner, ticket FROM ${counter_ticket} WHERE kept_until <= :at"
                + " ORDER BY kept_until LIMIT :limit");
    }

    /**
     * Inserts a ticket unless its number is in use. A duplicate key would end a host's transaction. The statement
     * selects the row instead of using VALUES. Drivers that join inserts of VALUES into one do not report how many rows
     * each of them inserted.
     */
    private static String open(Dialect dialect) {
        String table = "${counter_ticket} (space, owner, ticket, kept_until)";
        String row = " SELECT " + dialect.text(":space") + ", " + dialect.text(":owner") + ", "
                + dialect.number(":ticket") + ", ${written} + " + dialect.number(":kept");
        return switch (dialect) {
            case POSTGRESQL -> "INSERT INTO " + table + row + " ON CONFLICT DO NOTHING";
            case MYSQL, MARIADB -> "INSERT IGNORE INTO " + table + row;
            case H2 ->
                "INSERT INTO " + table + row + " WHERE NOT EXISTS (SELECT 1 FROM ${counter_ticket} WHERE " + KEY + ")";
        };
    }

    /** Opens tickets, which are remembered for a time. */
    List<Long> open(Handle handle, List<Owner> owners, long keptMillis) {
        List<Long> opened = new ArrayList<>(Collections.nCopies(owners.size(), 0L));
        List<Integer> places = IntStream.range(0, owners.size()).boxed().toList();
        while (!places.isEmpty()) {
            List<Ticket> drawn = places.stream()
                    .map(place -> new Ticket(owners.get(place), numbers.getAsLong()))
                    .toList();
            int[] inserted = insert(handle, drawn, keptMillis);
            List<Integer> again = new ArrayList<>();
            for (int i = 0; i < inserted.length; i++) {
                opened.set(places.get(i), drawn.get(i).number());
                if (inserted[i] == 0) {
                    again.add(places.get(i));
                }
            }
            places = again;
        }
        return opened;
    }

    private int[] insert(Handle handle, List<Ticket> tickets, long keptMillis) {
        AtomicReference<int[]> inserted = new AtomicReference<>(new int[0]);
        database.upsert(() -> {
            inserted.set(Batches.run(
                    database,
                    handle,
                    openSql,
                    tickets,
                    (batch, ticket) -> bind(batch, ticket).bind("kept", keptMillis)));
            return tickets.size();
        });
        return requireNonNull(inserted.get());
    }

    /**
     * Removes tickets that have not expired, and returns for each whether it was open. No other transaction can take
     * them.
     */
    List<Boolean> take(Handle handle, List<Redemption> redemptions, long now) {
        List<Ticket> tickets = redemptions.stream()
                .map(each -> new Ticket(each.owner(), each.ticket()))
                .toList();
        // All transactions take tickets in one order, and so do not deadlock.
        List<Ticket> sorted = tickets.stream().distinct().sorted(ORDER).toList();
        Set<Ticket> open = new HashSet<>();
        int[] taken = Batches.run(
                database,
                handle,
                takeSql,
                sorted,
                (batch, ticket) -> bind(batch, ticket).bind("now", now));
        for (int i = 0; i < taken.length; i++) {
            if (taken[i] > 0) {
                open.add(sorted.get(i));
            }
        }
        return tickets.stream().map(open::remove).toList();
    }

    /** Removes tickets that expired up to a time, the oldest first, and returns their number. */
    int purge(Handle handle, long until, int limit) {
        List<Ticket> old = database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) -> new Ticket(CellTable.owner(row), row.getLong(3)))
                .list();
        Batches.run(database, handle, removeSql, old, TicketTable::bind);
        return old.size();
    }

    private static PreparedBatch bind(PreparedBatch batch, Ticket ticket) {
        return CellTable.bind(batch, ticket.owner()).bind("ticket", ticket.number());
    }
}
