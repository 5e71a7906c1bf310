package io.feedkit.bench.copies;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Very many readers return at once after an absence in which their inboxes ended: with copies of their inboxes, and
 * without. Without copies the engine asks PostgreSQL either which posts were deleted lately, or which posts of the new
 * inbox exist. Each run is one round, over all readers.
 */
final class ReturningCrowd implements Measurement {

    static final String NAME = "returns";

    private static final int MOST_READERS = 10_000;
    private static final int LEAST_READERS = 50;
    private static final int READERS_PART = 1000;
    private static final int AUTHORS_A_FOLLOWEE = 4;
    private static final int FEW_FOLLOWEES = 100;
    private static final int MANY_FOLLOWEES = 300;
    private static final int MONTH = 25;
    private static final int SHALLOW = FeedEngineBuilder.DEFAULT_COPY_DEPTH;
    private static final int DEEP = FeedEngineBuilder.DEFAULT_CAP;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> lacks() {
        return CopyServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(LEAST_READERS, Math.min(MOST_READERS, scale.followers() / READERS_PART));
        List<Figure> figures = new ArrayList<>();
        try (CrowdStores stores = new CrowdStores();
                CopyServer server = CopyServer.start()) {
            Crowd few = crowd(readers, FEW_FOLLOWEES);
            few.follow(stores.database());
            Absence week = new Absence(few, Absence.WEEK, stores, server, List.of(SHALLOW, DEEP));
            figures.addAll(week.copiesOf(SHALLOW));
            figures.addAll(week.copiesOf(DEEP));
            figures.add(week.inboxesOf(SHALLOW));
            figures.addAll(week.manyCallers(SHALLOW));
            Absence month = new Absence(few, MONTH, stores, server, List.of(SHALLOW, DEEP));
            figures.addAll(month.copiesOf(SHALLOW));
            figures.addAll(month.copiesOf(DEEP));
            Crowd many = crowd(readers, MANY_FOLLOWEES);
            many.follow(stores.database());
            figures.addAll(new Absence(many, Absence.WEEK, stores, server, List.of(SHALLOW)).copiesOf(SHALLOW));
        }
        return figures;
    }

    private static Crowd crowd(int readers, int followees) {
        return new Crowd(readers, Math.max(readers / 2, AUTHORS_A_FOLLOWEE * followees), followees);
    }
}
