package io.feedkit.survival.chaos;

import java.util.List;

/**
 * How an engine is opened, in this process or in another.
 *
 * @param name its name
 * @param database the JDBC URL of the outboxes
 * @param inboxes the URI of the inboxes
 * @param workers how many threads fan out
 * @param cap how many posts an inbox serves
 * @param staleMillis for how long pages are served without the source of truth; 0 for never
 * @param archive the JDBC URL of the archive
 * @param skewMillis how far the engine's clock is ahead
 */
record EngineSettings(
        String name,
        String database,
        String inboxes,
        int workers,
        int cap,
        int staleMillis,
        String archive,
        int skewMillis) {

    private static final int CAP = 4;
    private static final int STALE = 5;
    private static final int ARCHIVE = 6;
    private static final int SKEW = 7;

    List<String> arguments() {
        return List.of(
                name,
                database,
                inboxes,
                Integer.toString(workers),
                Integer.toString(cap),
                Integer.toString(staleMillis),
                archive,
                Integer.toString(skewMillis));
    }

    static EngineSettings of(String[] arguments) {
        return new EngineSettings(
                arguments[0],
                arguments[1],
                arguments[2],
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[CAP]),
                Integer.parseInt(arguments[STALE]),
                arguments[ARCHIVE],
                Integer.parseInt(arguments[SKEW]));
    }
}
