package io.feedkit.spring.internal.settings;

import io.feedkit.spring.InvalidSettingException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies properties to the settings of builders. */
public final class Setting {

    private Setting() {}

    /**
     * Applies a property, unless it is not set.
     *
     * @throws InvalidSettingException if the setting refuses the value
     */
    public static <T> void apply(String property, @Nullable T value, Consumer<? super T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    property,
                    value,
                    String.valueOf(e.getMessage()),
                    "Change " + property + ", or remove it for the default.",
                    e);
        }
    }
}
