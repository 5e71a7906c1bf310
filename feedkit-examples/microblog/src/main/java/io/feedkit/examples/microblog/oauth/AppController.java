package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.web.ApiException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Registers client programs. */
@RestController
@RequestMapping("/api/v1/apps")
class AppController {

    private static final int MAX_REDIRECTS = 2_000;
    private static final int MAX_TEXT = 200;

    private final Apps apps;

    AppController(Apps apps) {
        this.apps = apps;
    }

    /** Some clients send one redirect URI, some a list, some lines. */
    record NewApp(
            @Nullable String clientName,
            @Nullable Object redirectUris,
            @Nullable String scopes,
            @Nullable String website) {}

    record RegisteredApp(
            String id,
            String name,
            String website,
            String redirectUri,
            List<String> redirectUris,
            List<String> scopes,
            String clientId,
            String clientSecret) {}

    @PostMapping
    RegisteredApp register(@RequestBody NewApp wanted) {
        String name = text(wanted.clientName(), "");
        String redirects = redirects(wanted.redirectUris());
        String scopes = text(wanted.scopes(), Scopes.DEFAULT);
        if (name.isEmpty()) {
            throw ApiException.unprocessable("Application name can't be blank");
        }
        if (redirects.isEmpty()) {
            throw ApiException.unprocessable("Redirect URI can't be blank");
        }
        String website = text(wanted.website(), "");
        if (name.length() > MAX_TEXT || website.length() > MAX_TEXT || redirects.length() > MAX_REDIRECTS) {
            throw ApiException.unprocessable("Application is too long");
        }
        if (!redirects.lines().allMatch(Redirects::isLegal)) {
            throw ApiException.unprocessable("Redirect URI must be an absolute URI.");
        }
        if (scopes.length() > MAX_TEXT || !Scopes.areKnown(scopes)) {
            throw ApiException.unprocessable("Scopes doesn't match configured on the server.");
        }
        App app = apps.register(name, redirects, String.join(" ", Scopes.words(scopes)), website);
        return new RegisteredApp(
                app.clientId(),
                name,
                website,
                redirects,
                app.redirects(),
                Scopes.words(app.scopes()),
                app.clientId(),
                app.clientSecret());
    }

    @GetMapping("/verify_credentials")
    Map<String, String> verify(@AuthenticationPrincipal @Nullable TokenHolder token) {
        if (token == null) {
            throw ApiException.unauthorized();
        }
        App app = apps.find(token.clientId()).orElseThrow(ApiException::unauthorized);
        return Map.of("name", app.name(), "website", app.website());
    }

    private static String text(@Nullable String given, String otherwise) {
        return given == null || given.isBlank() ? otherwise : given.strip();
    }

    private static String redirects(@Nullable Object given) {
        String lines = given instanceof Collection<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining("\n"))
                : given == null ? "" : given.toString();
        return lines.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
