package io.feedkit.jdbc.internal.inbox.delivery;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.inbox.table.InboxEntry;
import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One post for one reader.
 *
 * @param delivery the index of the delivery it belongs to
 * @param place the index of the reader in that delivery
 */
record InboxInsert(int delivery, int place, String reader, Post post, long seenSince) {

    InboxEntry entry() {
        return new InboxEntry(reader, post);
    }

    /** The reason why the inbox refuses the post, if it does. */
    Optional<Outcome> refusal(Optional<InboxRow> inbox) {
        if (inbox.filter(row -> row.isOpen() && row.isSeenSince(seenSince)).isEmpty()) {
            return Optional.of(Outcome.NOT_LIVE);
        }
        return inbox.filter(row -> row.accepts(post)).isEmpty() ? Optional.of(Outcome.BELOW_FLOOR) : Optional.empty();
    }

    /**
     * Splits deliveries into rounds. A round contains each reader at most once, and is sorted by reader. The posts of
     * one reader are in the order of the request.
     */
    static List<List<InboxInsert>> rounds(List<Delivery> deliveries) {
        List<List<InboxInsert>> rounds = new ArrayList<>();
        Map<String, Integer> met = new HashMap<>();
        for (int d = 0; d < deliveries.size(); d++) {
            Delivery delivery = deliveries.get(d);
            int place = 0;
            for (String reader : delivery.readers()) {
                int round = met.merge(reader, 1, Integer::sum);
                if (round > rounds.size()) {
                    rounds.add(new ArrayList<>());
                }
                rounds.get(round - 1).add(new InboxInsert(d, place++, reader, delivery.post(), delivery.seenSince()));
            }
        }
        rounds.forEach(round -> round.sort(Comparator.comparing(InboxInsert::reader)));
        return rounds;
    }
}
