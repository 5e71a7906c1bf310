package io.feedkit.spring;

import io.feedkit.Beta;
import org.jspecify.annotations.Nullable;

/**
 * The application cannot start with this value of a property, or without a value. Spring Boot shows the property, the
 * value and the remedy instead of a stack trace.
 *
 * @since 0.1.0
 */
@Beta
public final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The name of the property. */
    private final String property;

    /** The value, as text. */
    private final String value;

    /** What to do. */
    private final String remedy;

    /**
     * Creates an exception.
     *
     * @param property the name of the property
     * @param value its value; null if it is not set
     * @param problem what is wrong, as a sentence
     * @param remedy what to do, as a sentence
     * @param cause the failure that the value led to, if there is one
     */
    public InvalidSettingException(
            String property, @Nullable Object value, String problem, String remedy, @Nullable Throwable cause) {
        super(property + (value == null ? " is not set" : " is " + value) + ": " + problem, cause);
        this.property = property;
        this.value = value == null ? "" : value.toString();
        this.remedy = remedy;
    }

    /**
     * Returns the name of the property.
     *
     * @return the name, such as {@code feedkit.cap}
     */
    public String property() {
        return property;
    }

    /**
     * Returns the value of the property.
     *
     * @return the value as text; empty if it is not set
     */
    public String value() {
        return value;
    }

    /**
     * Returns what to do.
     *
     * @return a sentence
     */
    public String remedy() {
        return remedy;
    }
}
