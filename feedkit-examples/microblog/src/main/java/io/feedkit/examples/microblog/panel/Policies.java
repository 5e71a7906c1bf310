package io.feedkit.examples.microblog.panel;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.spring.FeedKitProperties;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/** The fan-out policies between which the page switches all engines. */
@Component
class Policies {

    /** The policy of the properties, which is in use until somebody switches. */
    private static final String OWN = "hybrid";

    /** As long as other engines take to notice a switch. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final FeedEngine feed;
    private final List<String> names;
    private final Clock clock;
    private volatile Known known = new Known(OWN, 0);

    private record Known(String name, long until) {}

    Policies(FeedEngine feed, FeedKitProperties properties, Clock clock) {
        this.feed = feed;
        this.names = List.copyOf(properties.policies().keySet());
        this.clock = clock;
    }

    List<String> names() {
        return names;
    }

    /** The policy in use, up to a second ago: the store would be asked for each page otherwise. */
    String current() {
        long now = clock.millis();
        Known last = known;
        if (now >= last.until()) {
            last = new Known(feed.policyOnAllEngines().orElse(OWN), now + KEPT.toMillis());
            known = last;
        }
        return last.name();
    }

    void use(String name) {
        if (!names.contains(name)) {
            throw ApiException.unprocessable("Policy must be one of " + names);
        }
        feed.usePolicyOnAllEngines(name);
        known = new Known(name, clock.millis() + KEPT.toMillis());
    }
}
