package io.feedkit.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngineBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The runs of a test whose engines fill inboxes from copies in {@link FaultyCopies}. */
final class CopiedRuns {

    private final List<FaultyCopies> stores = new ArrayList<>();

    /** Sets the engines of the next run up: in every second run, the store of copies has many faults. */
    UnaryOperator<FeedEngineBuilder> next() {
        int number = stores.size();
        FaultyCopies copies = new FaultyCopies(number, number % 2 == 0 ? 60 : 10);
        stores.add(copies);
        return copies::into;
    }

    /** Expects that inboxes were filled from copies in a third of the runs. */
    void assertFilled() {
        assertThat(stores).as("runs").isNotEmpty();
        long filled = stores.stream().filter(copies -> copies.filled() > 0).count();
        assertThat(filled)
                .as("runs of %s in which inboxes were filled from copies", stores.size())
                .isGreaterThanOrEqualTo((stores.size() + 2) / 3);
    }
}
