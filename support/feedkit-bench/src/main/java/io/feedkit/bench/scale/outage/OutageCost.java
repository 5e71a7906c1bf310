package io.feedkit.bench.scale.outage;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages while the inbox store is down, with the source of truth in PostgreSQL and inboxes in Redis. Before, during and
 * after each outage, clients read a hundred pages a second, publish and delete posts, and follow and unfollow authors.
 */
public final class OutageCost implements Measurement {

    private static final int LONGER = 2;
    private static final double P50 = 50;
    private static final double P99 = 99;
    private static final Target NEARLY_ALL = new Target.RatioAtLeast(0.99);
    private static final Target NO_PAGE = new Target.AtMost(0);

    @Override
    public String name() {
        return "outage";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Duration phase = scale.idle().multipliedBy(LONGER);
        List<Figure> figures = new ArrayList<>();
        try (OutageStores stores = new OutageStores()) {
            History history = new History();
            OutageLoad load = new OutageLoad(stores.engine(), history);
            load.begin();
            load.visitAll();
            for (InboxFault fault : InboxFault.ALL) {
                figures.addAll(figures(
                        name() + ", " + fault.name() + ": ", new OutageRun(stores, history, load).of(fault, phase)));
            }
        }
        return figures;
    }

    private static List<Figure> figures(String name, OutageRun.Seen seen) {
        Phase before = seen.before();
        Phase during = seen.during();
        Phase after = seen.after();
        double checked = before.pagesAnswered() + during.pagesAnswered() + after.pagesAnswered();
        int wrong = before.wrongPages() + during.wrongPages() + after.wrongPages();
        return List.of(
                pages(name + "answered during (of all)", during.pagesAnswered(), during.pages(), NEARLY_ALL),
                pages(
                        name + "refused at once, typed, during (of all)",
                        during.refusedAtOnce(),
                        during.pages(),
                        Target.NONE),
                pages(
                        name + "refused after 100 ms or more, typed, during (of all)",
                        during.refusedLate(),
                        during.pages(),
                        Target.NONE),
                pages(
                        name + "refused after (of all)",
                        after.refusedAtOnce() + after.refusedLate(),
                        after.pages(),
                        Target.NONE),
                millis(name + "p50 during (against before)", during, before, P50),
                millis(name + "p99 during (against before)", during, before, P99),
                millis(name + "p50 after (against before)", after, before, P50),
                millis(name + "p99 after (against before)", after, before, P99),
                new Figure(
                        name + "PostgreSQL, calls during (against before)",
                        "calls a page",
                        during.callsAPage(),
                        Math.max(0.01, before.callsAPage()),
                        Target.NONE),
                new Figure(
                        name + "PostgreSQL, CPU during (against before)",
                        "% of a core",
                        during.cpu(),
                        Math.max(0.01, before.cpu()),
                        Target.NONE),
                new Figure(
                        name + "PostgreSQL, CPU after (against before)",
                        "% of a core",
                        after.cpu(),
                        Math.max(0.01, before.cpu()),
                        Target.NONE),
                pages(name + "wrong (of all that were answered)", wrong, checked, NO_PAGE),
                new Figure(
                        name + "feeds that differ from the oracle's afterwards (of all)",
                        "feeds",
                        seen.wrongFeeds(),
                        OutageLoad.READERS,
                        NO_PAGE));
    }

    private static Figure pages(String name, double value, double all, Target target) {
        return new Figure(name, "pages", value, all, target);
    }

    private static Figure millis(String name, Phase phase, Phase before, double percentile) {
        return new Figure(
                name, "ms", phase.millis(percentile), Math.max(0.001, before.millis(percentile)), Target.NONE);
    }
}
