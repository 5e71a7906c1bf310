package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
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
 * @param delivery the delivery it is of
 * @param place the reader's place in the delivery
 */
record Push(int delivery, int place, String reader, Post post, long seenSince) {

    /** Why it cannot be delivered to an inbox, if it cannot. */
    Optional<Outcome> refusal(Optional<InboxRow> inbox) {
        if (inbox.filter(row -> row.isOpen() && row.isSeenSince(seenSince)).isEmpty()) {
            return Optional.of(Outcome.NOT_LIVE);
        }
        return inbox.filter(row -> row.takes(post)).isEmpty() ? Optional.of(Outcome.BELOW_FLOOR) : Optional.empty();
    }

    /** Takes deliveries apart: each round holds a reader at most once, in the order of readers; rounds are in the order of the request. */
    static List<List<Push>> rounds(List<Delivery> deliveries) {
        List<List<Push>> rounds = new ArrayList<>();
        Map<String, Integer> met = new HashMap<>();
        for (int d = 0; d < deliveries.size(); d++) {
            Delivery delivery = deliveries.get(d);
            int place = 0;
            for (String reader : delivery.readers()) {
                int round = met.merge(reader, 1, Integer::sum);
                if (round > rounds.size()) {
                    rounds.add(new ArrayList<>());
                }
                rounds.get(round - 1).add(new Push(d, place++, reader, delivery.post(), delivery.seenSince()));
            }
        }
        rounds.forEach(round -> round.sort(Comparator.comparing(Push::reader)));
        return rounds;
    }
}
