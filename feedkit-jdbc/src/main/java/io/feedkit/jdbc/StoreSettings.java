package io.feedkit.jdbc;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** The settings of a {@link JdbcFeedStore}, without those of its own pool; see {@link JdbcFeedStore.Builder}. */
record StoreSettings(
        String schema,
        String prefix,
        Optional<PostsTable> posts,
        Optional<FollowsTable> follows,
        Optional<Clock> clock,
        Duration timeout,
        Duration maintenanceInterval,
        boolean notifications) {}
