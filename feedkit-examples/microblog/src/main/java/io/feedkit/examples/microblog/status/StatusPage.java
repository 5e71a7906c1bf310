package io.feedkit.examples.microblog.status;

import io.feedkit.Cursor;
import java.util.List;
import java.util.Optional;

/** A page of statuses as JSON, the newest first, and where its walk goes on. */
public record StatusPage(List<StatusView> items, Optional<Cursor> older, Cursor newer) {}
