package io.feedkit.examples.microblog.world;

import io.feedkit.examples.microblog.oauth.Tokens;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The demo accounts, for the log-in of the page. */
@RestController
class DemoController {

    private final WorldSettings settings;
    private final Tokens tokens;

    DemoController(WorldSettings settings, Tokens tokens) {
        this.settings = settings;
        this.tokens = tokens;
    }

    /** An account with its token. */
    @JsonNaming(LowerCamelCaseStrategy.class)
    record Demo(String id, String username, String displayName, String token) {}

    /** The accounts whose preset token is valid; 404 if there is none. */
    @GetMapping("/api/feedkit/demo")
    List<Demo> demo() {
        List<Demo> demos = settings.tokens().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .flatMap(token -> tokens.account(token).stream()
                        .map(account -> new Demo(account.key(), account.username(), account.displayName(), token)))
                .toList();
        if (demos.isEmpty()) {
            throw ApiException.notFound();
        }
        return demos;
    }
}
