package io.feedkit.examples.microblog.world;

import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The accounts of a world that anybody may use, for the log-in of the page. */
@RestController
class DemoController {

    private final WorldSettings settings;
    private final Accounts accounts;

    DemoController(WorldSettings settings, Accounts accounts) {
        this.settings = settings;
        this.accounts = accounts;
    }

    /** An account with its token. */
    @JsonNaming(LowerCamelCaseStrategy.class)
    record Demo(String id, String username, String displayName, String token) {}

    @GetMapping("/api/feedkit/demo")
    List<Demo> demo() {
        if (settings.world().equals("none")) {
            throw ApiException.notFound();
        }
        return settings.tokens().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> accounts.findByName(entry.getKey()).stream()
                        .map(account ->
                                new Demo(account.key(), account.username(), account.displayName(), entry.getValue())))
                .toList();
    }
}
