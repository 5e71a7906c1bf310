package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Accounts;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Asks somebody who has logged in whether an app may act for them, and hands out a code. */
@RestController
@RequestMapping("/oauth/authorize")
class AuthorizeController {

    /** What an app may ask. Anything else could be an answer that was not the user's. */
    private static final Set<String> ASKED = Set.of(
            "client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method");

    /** A hash of SHA-256 in base64url. */
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final Apps apps;
    private final Codes codes;
    private final Accounts accounts;

    AuthorizeController(Apps apps, Codes codes, Accounts accounts) {
        this.apps = apps;
        this.codes = codes;
        this.accounts = accounts;
    }

    /** The request of an app, checked. */
    private record Request(App app, String redirectUri, String scopes, String state, String challenge) {}

    @GetMapping
    ResponseEntity<String> ask(Principal login, CsrfToken csrf, @RequestParam Map<String, String> parameters) {
        Request request = checked(parameters);
        Account me = accounts.find(Long.parseLong(login.getName())).orElseThrow();
        String hidden = parameters.entrySet().stream()
                .filter(entry -> ASKED.contains(entry.getKey()))
                .map(entry -> hidden(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining());
        return page("<h2>Allow " + HtmlUtils.htmlEscape(request.app().name()) + "?</h2><p>It may, as @" + me.username()
                + ": " + HtmlUtils.htmlEscape(request.scopes())
                + "</p><form method=\"post\" action=\"/oauth/authorize\">" + hidden
                + hidden(csrf.getParameterName(), csrf.getToken())
                + "<button class=\"primary\" name=\"answer\" value=\"allow\">Allow</button>"
                + "<button name=\"answer\" value=\"deny\">Deny</button></form>");
    }

    @PostMapping
    ResponseEntity<String> answer(Principal login, @RequestParam Map<String, String> parameters) {
        Request request = checked(parameters);
        if (!Objects.equals(parameters.get("answer"), "allow")) {
            return request.redirectUri().equals(App.OUT_OF_BAND)
                    ? page("<h2>Denied</h2>")
                    : redirect(request, "error", "access_denied");
        }
        String code = codes.issue(
                request.app().clientId(),
                Long.parseLong(login.getName()),
                request.redirectUri(),
                request.scopes(),
                request.challenge());
        return request.redirectUri().equals(App.OUT_OF_BAND)
                ? page("<h2>Give this code to the app</h2><p><code>" + code + "</code></p>")
                : redirect(request, "code", code);
    }

    /** Goes nowhere with a wrong request: its redirect URI may be an attacker's. */
    private Request checked(Map<String, String> parameters) {
        App app = apps.find(parameters.getOrDefault("client_id", "")).orElseThrow(OAuthException::invalidClient);
        String redirectUri =
                parameters.getOrDefault("redirect_uri", app.redirects().get(0));
        if (!app.redirects().contains(redirectUri)) {
            throw OAuthException.invalidRequest("The redirect uri included is not valid.");
        }
        if (!parameters.getOrDefault("response_type", "code").equals("code")) {
            throw new OAuthException(
                    HttpStatus.BAD_REQUEST,
                    "unsupported_response_type",
                    "The authorization server does not support this response type.");
        }
        String scopes = String.join(" ", Scopes.words(parameters.getOrDefault("scope", Scopes.DEFAULT)));
        if (!Scopes.include(app.scopes(), scopes)) {
            throw OAuthException.invalidScope();
        }
        String challenge = parameters.getOrDefault("code_challenge", "");
        if (!challenge.isEmpty()
                && !parameters.getOrDefault("code_challenge_method", "").equals("S256")) {
            throw OAuthException.invalidRequest("The code challenge method must be S256.");
        }
        if (!challenge.isEmpty() && !CHALLENGE.matcher(challenge).matches()) {
            throw OAuthException.invalidRequest("The code challenge must be a hash of SHA-256.");
        }
        return new Request(app, redirectUri, scopes, parameters.getOrDefault("state", ""), challenge);
    }

    private static ResponseEntity<String> redirect(Request request, String name, String value) {
        URI target = Redirects.with(request.redirectUri(), name, value, request.state());
        return ResponseEntity.status(HttpStatus.FOUND).location(target).build();
    }

    private static String hidden(String name, String value) {
        return "<input type=\"hidden\" name=\"" + HtmlUtils.htmlEscape(name) + "\" value=\""
                + HtmlUtils.htmlEscape(value) + "\">";
    }

    private static ResponseEntity<String> page(String content) {
        return ResponseEntity.ok()
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .body("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>FeedKit microblog</title>"
                        + "<meta name=\"viewport\" content=\"width=device-width\">"
                        + "<link rel=\"stylesheet\" href=\"/default-ui.css\"><body><main class=\"content\">" + content
                        + "</main></body></html>");
    }

    @ExceptionHandler
    ResponseEntity<Map<String, String>> refused(OAuthException e) {
        return e.answer();
    }
}
