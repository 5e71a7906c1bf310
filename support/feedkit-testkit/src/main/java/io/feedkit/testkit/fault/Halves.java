package io.feedkit.testkit.fault;

import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The first halves of batches, rounded down. */
final class Halves {

    private Halves() {}

    static <T> List<T> of(Collection<T> batch) {
        return List.copyOf(batch).subList(0, batch.size() / 2);
    }

    /** Half of the readers of all deliveries, one delivery possibly cut. */
    static List<Delivery> ofDeliveries(List<Delivery> deliveries) {
        int left = deliveries.stream()
                        .mapToInt(delivery -> delivery.readers().size())
                        .sum()
                / 2;
        List<Delivery> half = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            int readers = Math.min(left, delivery.readers().size());
            half.add(new Delivery(delivery.post(), delivery.readers().subList(0, readers), delivery.seenSince()));
            left -= readers;
        }
        return half;
    }

    /** Half of the readers of all retractions, one retraction possibly cut. */
    static List<Retraction> ofRetractions(List<Retraction> retractions) {
        int left = retractions.stream()
                        .mapToInt(retraction -> retraction.readers().size())
                        .sum()
                / 2;
        List<Retraction> half = new ArrayList<>();
        for (Retraction retraction : retractions) {
            int readers = Math.min(left, retraction.readers().size());
            half.add(new Retraction(retraction.post(), retraction.readers().subList(0, readers)));
            left -= readers;
        }
        return half;
    }
}
