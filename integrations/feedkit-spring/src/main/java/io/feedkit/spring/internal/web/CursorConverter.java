package io.feedkit.spring.internal.web;

import io.feedkit.Cursor;
import org.springframework.core.convert.converter.Converter;

/** Reads cursors in parameters, headers and path variables. */
public final class CursorConverter implements Converter<String, Cursor> {

    @Override
    public Cursor convert(String source) {
        return Cursor.parse(source);
    }
}
