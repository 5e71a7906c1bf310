package io.feedkit.examples.microblog.web;

import io.feedkit.Cursor;
import java.util.List;
import java.util.Optional;

/**
 * A page of a list, newest first.
 *
 * @param older where the page below begins; empty at the end
 * @param newer where the page above begins
 * @param moreNewer whether a page that was read upwards has more above it
 */
public record ListPage<T>(List<T> items, Optional<Cursor> older, Cursor newer, boolean moreNewer) {}
