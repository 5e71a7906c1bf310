package io.feedkit.examples.microblog.account;

import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.examples.microblog.web.Site;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What clients ask before and beside everything else. */
@RestController
class InstanceController {

    private static final String TITLE = "FeedKit microblog";
    private static final String VERSION = "4.2.0 (compatible; FeedKit example)";
    private static final String DESCRIPTION = "An example of an application on FeedKit. Do not keep anything here.";

    private final Accounts accounts;
    private final AccountViews views;
    private final Site site;

    InstanceController(Accounts accounts, AccountViews views, Site site) {
        this.accounts = accounts;
        this.views = views;
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
                Map.of("user_count", accounts.count(), "status_count", 0, "domain_count", 1),
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
                "statuses", Map.of("max_characters", 500, "max_media_attachments", 0));
    }

    @GetMapping("/api/v2/search")
    Map<String, Object> search(
            Account me,
            @RequestParam String q,
            @RequestParam(defaultValue = "accounts") String type,
            PageBounds bounds) {
        List<AccountView> found = type.equals("accounts") && !q.isBlank()
                ? views.of(accounts.search(Names.local(q), bounds.limit()))
                : List.of();
        return Map.of("accounts", found, "statuses", List.of(), "hashtags", List.of());
    }

    /** What this server has none of, and some clients want a list of. */
    @GetMapping({"/api/v1/custom_emojis", "/api/v1/filters", "/api/v2/filters", "/api/v1/lists"})
    List<Object> none() {
        return List.of();
    }
}
