package io.feedkit.survival.live;

import io.feedkit.fanout.FanoutPolicy;
import java.util.List;

/**
 * How an engine is opened, in this process or in another.
 *
 * @param name its name
 * @param database the JDBC URL of posts and follow graph
 * @param inboxes the URI of the inboxes
 * @param bus the URI of the bus on Redis, the JDBC URL of the bus on PostgreSQL, or {@code none}
 * @param policy {@code push}, {@code pull}, or from how many followers on an author is pulled
 */
record EngineSettings(String name, String database, String inboxes, String bus, String policy) {

    static final String NO_BUS = "none";

    private static final int BUS = 3;
    private static final int POLICY = 4;

    List<String> arguments() {
        return List.of(name, database, inboxes, bus, policy);
    }

    static EngineSettings of(String[] arguments) {
        return new EngineSettings(arguments[0], arguments[1], arguments[2], arguments[BUS], arguments[POLICY]);
    }

    FanoutPolicy fanoutPolicy() {
        return switch (policy) {
            case "push" -> FanoutPolicy.push();
            case "pull" -> FanoutPolicy.pull();
            default -> FanoutPolicy.hybrid(Long.parseLong(policy));
        };
    }
}
