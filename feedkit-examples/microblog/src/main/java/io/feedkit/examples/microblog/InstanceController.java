package io.feedkit.examples.microblog;

import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.status.StatusRows;
import io.feedkit.examples.microblog.status.StatusText;
import io.feedkit.examples.microblog.web.Site;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What clients ask before and beside everything else. */
@RestController
class InstanceController {

    private static final String TITLE = "FeedKit microblog";
    private static final String VERSION = "4.2.0 (compatible; FeedKit example)";
    private static final String DESCRIPTION = "An example of an application on FeedKit. Do not keep anything here.";

    private final Accounts accounts;
    private final StatusRows statuses;
    private final Site site;

    InstanceController(Accounts accounts, StatusRows statuses, Site site) {
        this.accounts = accounts;
        this.statuses = statuses;
        this.site = site;
    }

    @GetMapping("/api/v1/instance")
    Map<String, Object> instance() {
        return Map.of(
                "uri",
                site.domain(),
                "title",
                TITLE,
                "version",
                VERSION,
                "description",
                DESCRIPTION,
                "short_description",
                DESCRIPTION,
                "email",
                "",
                "urls",
                Map.of("streaming_api", site.streaming()),
                "stats",
                Map.of("user_count", accounts.count(), "status_count", statuses.count(), "domain_count", 1),
                "registrations",
                true,
                "configuration",
                configuration());
    }

    @GetMapping("/api/v2/instance")
    Map<String, Object> instance2() {
        return Map.of(
                "domain", site.domain(),
                "title", TITLE,
                "version", VERSION,
                "description", DESCRIPTION,
                "languages", List.of("en"),
                "registrations", Map.of("enabled", true, "approval_required", false),
                "configuration", configuration(),
                "rules", List.of());
    }

    private Map<String, Object> configuration() {
        return Map.of(
                "urls", Map.of("streaming", site.streaming()),
                "statuses", Map.of("max_characters", StatusText.MAX_LENGTH, "max_media_attachments", 0));
    }

    /** What this server has none of, and some clients want a list of. */
    @GetMapping({"/api/v1/custom_emojis", "/api/v1/filters", "/api/v2/filters", "/api/v1/lists"})
    List<Object> none() {
        return List.of();
    }
}
