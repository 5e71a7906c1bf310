package io.feedkit.spring.internal.web;

import io.feedkit.Cursor;
import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.spring.FeedKitProperties;
import org.jspecify.annotations.Nullable;

/** Reads the request for a page from the parameters {@code limit}, {@code older}, {@code newer} and {@code until}. */
public final class PageParameters {

    static final String OLDER = "older";
    static final String NEWER = "newer";
    static final String UNTIL = "until";
    static final String LIMIT = "limit";

    private final FeedKitProperties.Web properties;

    public PageParameters(FeedKitProperties properties) {
        this.properties = properties.web();
    }

    /** The parameters of a request. */
    @FunctionalInterface
    public interface Source {

        @Nullable
        String value(String name);
    }

    /**
     * Reads a request.
     *
     * @throws InvalidRequestException if a value is not legal
     */
    public PageRequest read(Source parameters) {
        int limit = limit(parameters.value(LIMIT));
        String older = parameters.value(OLDER);
        String newer = parameters.value(NEWER);
        String until = parameters.value(UNTIL);
        if (older != null && newer != null) {
            throw new InvalidRequestException("a page is either older or newer than a cursor, but both were given");
        }
        PageRequest request = older != null
                ? PageRequest.older(Cursor.parse(older), limit)
                : newer != null ? PageRequest.newer(Cursor.parse(newer), limit) : PageRequest.first(limit);
        return until == null ? request : request.until(Cursor.parse(until));
    }

    private int limit(@Nullable String text) {
        if (text == null) {
            return properties.limit();
        }
        try {
            return InvalidRequestException.requireLimit(Integer.parseInt(text), properties.maxLimit());
        } catch (NumberFormatException e) {
            throw new InvalidRequestException(
                    "limit must be a number between 1 and " + properties.maxLimit() + ", but is not");
        }
    }
}
