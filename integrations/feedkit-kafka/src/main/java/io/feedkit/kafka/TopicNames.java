package io.feedkit.kafka;

import static io.feedkit.internal.check.Arguments.nonNull;

/** Checks the names of topics and groups that a host gives. */
final class TopicNames {

    private static final int LONGEST = 249;

    private TopicNames() {}

    static String require(String setting, String name) {
        if (!nonNull(setting, name).matches("[a-zA-Z0-9_.-]{1," + LONGEST + "}")) {
            throw new IllegalArgumentException(setting + " must be 1 to " + LONGEST
                    + " characters a-z, A-Z, 0-9, _, - and ., but is \"" + name + "\"");
        }
        return name;
    }
}
