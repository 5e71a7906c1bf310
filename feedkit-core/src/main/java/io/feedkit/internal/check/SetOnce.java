package io.feedkit.internal.check;

import java.util.HashSet;
import java.util.Set;

/** Records which settings of a builder were given, and rejects a second value. Not thread-safe. */
public final class SetOnce {

    private final Set<String> given = new HashSet<>();

    /** Whether any setting is given. */
    public boolean any() {
        return !given.isEmpty();
    }

    /**
     * Records that a setting is given, and returns its value.
     *
     * @throws IllegalStateException if the setting was given before
     */
    public <T> T once(String setting, T value) {
        if (!given.add(setting)) {
            throw new IllegalStateException(setting + " was set before");
        }
        return value;
    }
}
