package io.feedkit.bench.copies;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Target;
import io.feedkit.bench.copies.CrowdReads.Cost;
import io.feedkit.spi.InboxCopies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A crowd whose inboxes were copied, were lost, and miss the posts of some days. The crowd can return many times: its
 * inboxes are dropped after each time, and the copies stay as they are. Used by one thread.
 */
final class Absence {

    /** Up to which absence almost all copies must be usable. */
    static final int WEEK = 8;

    private static final int KNOWN_DAYS = 28;
    private static final int CALLERS = 16;
    private static final int MANY_CALLERS = 64;
    private static final int LEAST_COMPARING = 50;
    private static final int COMPARING_PART = 4;
    private static final double MOST_CPU = 0.5;
    private static final double LEAST_FILLS = 0.9;
    private static final double LEAST = 0.01;
    private static final String AGAINST_SQL = " (against SQL alone)";

    private final Crowd crowd;
    private final int days;
    private final CrowdStores stores;
    private final CopyServer server;
    private final List<String> readers;
    private final Cost sql;

    /** Of some of the readers: each costs many times more. */
    private final Cost comparing;

    /** Loads posts, copies the inboxes, loads the posts of the absence, and measures returns without copies. */
    Absence(Crowd crowd, int days, CrowdStores stores, CopyServer server, List<Integer> depths) {
        this.crowd = crowd;
        this.days = days;
        this.stores = stores;
        this.server = server;
        this.readers = crowd.allReaders();
        long now = System.currentTimeMillis();
        server.wipe();
        crowd.postBefore(stores.database(), now - Duration.ofDays(days).toMillis(), KNOWN_DAYS);
        depths.forEach(this::copy);
        crowd.postNow(stores.database(), now, days);
        this.sql = read(stores.engine(), CALLERS);
        int some = Math.min(readers.size(), Math.max(LEAST_COMPARING, readers.size() / COMPARING_PART));
        this.comparing = CrowdReads.read(stores, readers.subList(0, some), stores.engineComparingAll(), CALLERS);
    }

    private InboxCopies copies(int depth) {
        return server.copies("depth" + depth);
    }

    /** Builds all inboxes, and so copies them. Inboxes as deep as the copies take less time, and give the same. */
    private void copy(int depth) {
        FeedEngineBuilder builder =
                stores.engine().cap(depth).inboxCopies(copies(depth)).copying(settings -> settings.depth(depth));
        int copied = read(builder, CALLERS).copied();
        if (copied != readers.size()) {
            throw new IllegalStateException(
                    "each of " + readers.size() + " inboxes must be copied, but " + copied + " were");
        }
    }

    private Cost read(FeedEngineBuilder builder, int callers) {
        return CrowdReads.read(stores, readers, builder, callers);
    }

    private Cost returning(int depth, int callers) {
        FeedEngineBuilder builder =
                stores.engine().inboxCopies(copies(depth)).copying(settings -> settings.depth(depth));
        Cost cost = read(builder, callers);
        if (days <= WEEK && cost.fromCopies() < LEAST_FILLS * readers.size()) {
            throw new IllegalStateException("at least " + LEAST_FILLS + " of " + readers.size()
                    + " inboxes must be filled from copies, but " + cost.fromCopies() + " were");
        }
        return cost;
    }

    /** Returns with copies of a depth, against those without copies. */
    List<Figure> copiesOf(int depth) {
        Cost cost = returning(depth, CALLERS);
        String what = what(CALLERS, depth);
        List<Figure> figures = new ArrayList<>();
        figures.add(figure(
                what + "PostgreSQL CPU of a reader (against SQL alone that compares each post)",
                "ms",
                cost,
                comparing,
                Cost::cpuMillis,
                new Target.RatioAtMost(MOST_CPU)));
        figures.addAll(figures(what, cost, sql));
        return figures;
    }

    /** Returns with more callers than inboxes are built at a time. */
    List<Figure> manyCallers(int depth) {
        Cost cost = returning(depth, MANY_CALLERS);
        return figures(what(MANY_CALLERS, depth), cost, read(stores.engine(), MANY_CALLERS));
    }

    /** Returns without copies to inboxes of a depth, against those to inboxes of the default depth. */
    Figure inboxesOf(int depth) {
        return figure(
                "%s, %d callers, SQL alone, inboxes of %d: PostgreSQL CPU of a reader (against inboxes of %d)"
                        .formatted(crowdText(), CALLERS, depth, FeedEngineBuilder.DEFAULT_CAP),
                "ms",
                read(stores.engine().cap(depth), CALLERS),
                sql,
                Cost::cpuMillis,
                Target.NONE);
    }

    private String crowdText() {
        return "%s: %d readers of %d authors, away %d days"
                .formatted(ReturningCrowd.NAME, readers.size(), crowd.followees(), days);
    }

    private String what(int callers, int depth) {
        return "%s, %d callers, copies of %d: ".formatted(crowdText(), callers, depth);
    }

    private List<Figure> figures(String what, Cost cost, Cost baseline) {
        return List.of(
                figure(
                        what + "PostgreSQL CPU of a reader" + AGAINST_SQL,
                        "ms",
                        cost,
                        baseline,
                        Cost::cpuMillis,
                        Target.NONE),
                figure(
                        what + "until all have a page" + AGAINST_SQL,
                        "s",
                        cost,
                        baseline,
                        Cost::pageSeconds,
                        Target.NONE),
                figure(
                        what + "until all have an inbox" + AGAINST_SQL,
                        "s",
                        cost,
                        baseline,
                        Cost::inboxSeconds,
                        Target.NONE),
                figure(what + "statements" + AGAINST_SQL, "round trips", cost, baseline, Cost::statements, Target.NONE),
                new Figure(
                        what + "filled from copies (of all readers)",
                        "inboxes",
                        cost.fromCopies(),
                        readers.size(),
                        days <= WEEK ? new Target.RatioAtLeast(LEAST_FILLS) : Target.NONE));
    }

    private static Figure figure(
            String name, String unit, Cost cost, Cost baseline, ToDoubleFunction<Cost> part, Target target) {
        return new Figure(name, unit, part.applyAsDouble(cost), Math.max(LEAST, part.applyAsDouble(baseline)), target);
    }
}
