package io.feedkit.internal.check;

import java.util.HashSet;
import java.util.Set;

/** The settings of a builder that were given. Not thread-safe. */
public final class SetOnce {

    private final Set<String> given = new HashSet<>();

    /**
     * Returns the value of a setting that is given now.
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
