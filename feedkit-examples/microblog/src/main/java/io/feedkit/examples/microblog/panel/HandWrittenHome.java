package io.feedkit.examples.microblog.panel;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.status.Status;
import io.feedkit.examples.microblog.status.StatusRows;
import io.feedkit.examples.microblog.status.StatusView;
import io.feedkit.examples.microblog.status.StatusViews;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.spring.FeedKitProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The home page without FeedKit, for benchmarks: one join with the follows, and the same JSON. Off by default. */
@RestController
@ConditionalOnProperty(name = "microblog.by-hand", havingValue = "true")
class HandWrittenHome {

    private final StatusRows rows;
    private final StatusViews views;
    private final JsonMapper json;
    private final String follows;

    HandWrittenHome(StatusRows rows, StatusViews views, JsonMapper json, FeedKitProperties properties) {
        this.rows = rows;
        this.views = views;
        this.json = json;
        this.follows = Optional.ofNullable(properties.jdbc().schema())
                        .map(schema -> schema + ".")
                        .orElse("")
                + Optional.ofNullable(properties.jdbc().prefix()).orElse(JdbcSchema.DEFAULT_PREFIX) + "follow";
    }

    @GetMapping("/api/feedkit/by-hand")
    ResponseEntity<List<StatusView>> home(Account me, PageBounds bounds) {
        long began = System.nanoTime();
        int before = RoundTrips.sent();
        List<Status> page = rows.home(follows, me.id(), bounds.maxId().orElse(Long.MAX_VALUE), bounds.limit());
        Map<String, Object> numbers = Map.of(
                "policy",
                "by-hand",
                "micros",
                TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began),
                "roundTrips",
                RoundTrips.sent() - before);
        return ResponseEntity.ok()
                .header(ReadMeter.HEADER, json.writeValueAsString(numbers))
                .body(views.of(me.key(), page));
    }
}
