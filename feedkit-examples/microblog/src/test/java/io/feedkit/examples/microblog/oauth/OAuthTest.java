package io.feedkit.examples.microblog.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.microblog.MicroblogTest;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

@DisplayName("Logging in")
class OAuthTest extends MicroblogTest {

    private static final String BACK = "http://127.0.0.1:9/back?from=here";
    private static final String VERIFIER = "a-verifier-that-is-long-enough-for-the-standard";
    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private HttpResponse<String> passwordGrant(JsonNode app, String name, String password)
            throws IOException, InterruptedException {
        return form(
                "/oauth/token",
                "",
                Map.of(
                        "grant_type",
                        "password",
                        "client_id",
                        app.get("client_id").stringValue(),
                        "client_secret",
                        app.get("client_secret").stringValue(),
                        "username",
                        name,
                        "password",
                        password,
                        "scope",
                        "read write"));
    }

    @Test
    @DisplayName("by password gives a token that works, by name and by mail address")
    void password() throws Exception {
        String name = fresh("pat");
        signUp(name);
        JsonNode answer = json(passwordGrant(app(), name + "@example.org", PASSWORD));
        assertThat(answer.get("token_type").stringValue()).isEqualTo("Bearer");
        assertThat(answer.get("scope").stringValue()).isEqualTo("read write");
        JsonNode me = json(get(
                "/api/v1/accounts/verify_credentials",
                answer.get("access_token").stringValue()));
        assertThat(me.get("acct").stringValue()).isEqualTo(name);
        assertThat(me.get("source").get("privacy").stringValue()).isEqualTo("public");
        assertThat(passwordGrant(app(), name, PASSWORD).statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("with a wrong password, an unknown name and no password gives the same answer")
    void wrongPassword() throws Exception {
        String name = fresh("pat");
        signUp(name);
        JsonNode app = app();
        assertRefused(passwordGrant(app, name, "wrong"), 400, "invalid_grant");
        assertRefused(passwordGrant(app, "nobody", PASSWORD), 400, "invalid_grant");
        assertRefused(passwordGrant(app, name, ""), 400, "invalid_grant");
    }

    private void assertRefused(HttpResponse<String> answer, int status, String error) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(json(answer).get("error").stringValue()).isEqualTo(error);
        assertThat(json(answer).get("error_description").stringValue()).isNotEmpty();
    }

    @Test
    @DisplayName("refuses unknown apps, wrong secrets, kinds of grants and scopes that the app has not")
    void badGrants() throws Exception {
        JsonNode app = app();
        String id = app.get("client_id").stringValue();
        String secret = app.get("client_secret").stringValue();
        assertRefused(form("/oauth/token", "", grant("password", "nobody", "x", "read")), 401, "invalid_client");
        assertRefused(form("/oauth/token", "", grant("password", id, "x", "read")), 401, "invalid_client");
        assertRefused(form("/oauth/token", "", grant("magic", id, secret, "read")), 400, "unsupported_grant_type");
        assertRefused(form("/oauth/token", "", grant("client_credentials", id, secret, "admin")), 400, "invalid_scope");
    }

    private static Map<String, String> grant(String type, String id, String secret, String scope) {
        return Map.of("grant_type", type, "client_id", id, "client_secret", secret, "scope", scope);
    }

    private HttpResponse<String> browse(HttpRequest.Builder request) throws IOException, InterruptedException {
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> submit(String path, Map<String, String> fields)
            throws IOException, InterruptedException {
        return browse(HttpRequest.newBuilder(url(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encoded(fields))));
    }

    private static String csrf(HttpResponse<String> page) {
        Matcher matcher = CSRF.matcher(page.body());
        assertThat(matcher.find()).as(page.body()).isTrue();
        return matcher.group(1);
    }

    private static Map<String, String> wish(JsonNode app, String redirectUri) {
        return Map.of(
                "response_type", "code",
                "client_id", app.get("client_id").stringValue(),
                "redirect_uri", redirectUri,
                "scope", "read write",
                "state", "a&b",
                "code_challenge", Secrets.challenge(VERIFIER),
                "code_challenge_method", "S256");
    }

    /** Logs a browser in at the page where a stranger is sent to, and shows what it wanted. */
    private HttpResponse<String> logIn(String name, String path) throws IOException, InterruptedException {
        HttpResponse<String> stranger = browse(HttpRequest.newBuilder(url(path)));
        assertThat(stranger.statusCode()).isEqualTo(302);
        HttpResponse<String> login = browse(HttpRequest.newBuilder(
                url("/").resolve(stranger.headers().firstValue("Location").orElseThrow())));
        HttpResponse<String> done =
                submit("/login", Map.of("username", name, "password", PASSWORD, "_csrf", csrf(login)));
        URI back = url("/").resolve(done.headers().firstValue("Location").orElseThrow());
        return browse(HttpRequest.newBuilder(back));
    }

    private HttpResponse<String> codeGrant(JsonNode app, String code, String verifier)
            throws IOException, InterruptedException {
        Map<String, String> fields = new HashMap<>(grant(
                "authorization_code",
                app.get("client_id").stringValue(),
                app.get("client_secret").stringValue(),
                "read"));
        fields.putAll(Map.of("code", code, "redirect_uri", BACK, "code_verifier", verifier));
        return form("/oauth/token", "", fields);
    }

    @Test
    @DisplayName("by the form gives a code, which is good once and only with the verifier")
    void authorizationCode() throws Exception {
        String name = fresh("cora");
        String account = id(signUp(name));
        JsonNode app = app(BACK);
        HttpResponse<String> asked = logIn(name, "/oauth/authorize?" + encoded(wish(app, BACK)));
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.body()).contains("Allow tests?", "@" + name);

        Map<String, String> allowed = new HashMap<>(wish(app, BACK));
        allowed.put("answer", "allow");
        assertThat(submit("/oauth/authorize", allowed).statusCode())
                .as("without CSRF token")
                .isEqualTo(403);
        allowed.put("_csrf", csrf(asked));
        String code = redirectedCode(submit("/oauth/authorize", allowed));
        assertRefused(codeGrant(app, code, "another-verifier"), 400, "invalid_grant");
        assertRefused(codeGrant(app, code, VERIFIER), 400, "invalid_grant"); // used up by the wrong try

        String second = redirectedCode(submit("/oauth/authorize", allowed));
        JsonNode token = json(codeGrant(app, second, VERIFIER));
        assertThat(id(token.get("access_token").stringValue())).isEqualTo(account);
        assertRefused(codeGrant(app, second, VERIFIER), 400, "invalid_grant");
    }

    @Test
    @DisplayName("gives no code after Deny, whatever the link of the app says")
    void denied() throws Exception {
        String name = fresh("dora");
        signUp(name);
        Map<String, String> wish = new HashMap<>(wish(app(BACK), BACK));
        wish.put("answer", "allow");
        HttpResponse<String> asked = logIn(name, "/oauth/authorize?" + encoded(wish));
        Matcher form =
                Pattern.compile("<form method=\"post\" action=\"([^\"]+)\">").matcher(asked.body());
        assertThat(form.find()).isTrue();
        assertThat(form.group(1)).isEqualTo("/oauth/authorize");
        Map<String, String> fields = new HashMap<>();
        Matcher hidden = Pattern.compile("type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"")
                .matcher(asked.body());
        while (hidden.find()) {
            fields.put(hidden.group(1), HtmlUtils.htmlUnescape(hidden.group(2)));
        }
        assertThat(fields).doesNotContainKey("answer");
        fields.put("answer", "deny");
        HttpResponse<String> answer = submit(form.group(1), fields);
        assertThat(answer.headers().firstValue("Location").orElseThrow()).contains("error=access_denied");
    }

    private static String redirectedCode(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(302);
        String location = answer.headers().firstValue("Location").orElseThrow();
        assertThat(location).startsWith(BACK + "&code=").endsWith("&state=a%26b");
        return location.substring((BACK + "&code=").length(), location.indexOf("&state"));
    }

    @Test
    @DisplayName("out of band shows the code, and a redirect that was not registered gets nothing")
    void outOfBand() throws Exception {
        String name = fresh("cora");
        signUp(name);
        JsonNode app = app();
        Map<String, String> wish = new HashMap<>(wish(app, App.OUT_OF_BAND));
        HttpResponse<String> asked = logIn(name, "/oauth/authorize?" + encoded(wish));
        wish.put("answer", "allow");
        wish.put("_csrf", csrf(asked));
        assertThat(submit("/oauth/authorize", wish).body()).containsPattern("<code>[\\w-]{43}</code>");
        wish.put("redirect_uri", BACK);
        assertRefused(submit("/oauth/authorize", wish), 400, "invalid_request");
    }

    @Test
    @DisplayName("ends when the token is revoked")
    void revoked() throws Exception {
        String name = fresh("rosa");
        signUp(name);
        JsonNode app = app();
        String token =
                json(passwordGrant(app, name, PASSWORD)).get("access_token").stringValue();
        Map<String, String> fields = Map.of(
                "client_id", app.get("client_id").stringValue(),
                "client_secret", app.get("client_secret").stringValue(),
                "token", token);
        assertThat(form("/oauth/revoke", "", fields).body()).isEqualTo("{}");
        HttpResponse<String> answer = get("/api/v1/accounts/verify_credentials", token);
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(json(answer).get("error").stringValue()).isEqualTo("The access token is invalid");
        assertThat(form("/oauth/revoke", "", fields).statusCode()).as("again").isEqualTo(200);
    }

    @Test
    @DisplayName("with too small a scope does not allow to write")
    void scopes() throws Exception {
        String name = fresh("sam");
        String other = id(signUp(fresh("sue")));
        signUp(name);
        JsonNode app = app();
        Map<String, String> fields = new HashMap<>(grant(
                "password",
                app.get("client_id").stringValue(),
                app.get("client_secret").stringValue(),
                "read"));
        fields.putAll(Map.of("username", name, "password", PASSWORD));
        String reader =
                json(form("/oauth/token", "", fields)).get("access_token").stringValue();
        HttpResponse<String> answer = send("POST", "/api/v1/accounts/" + other + "/follow", reader, "");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(json(answer).get("error").stringValue()).isEqualTo("This action is outside the authorized scopes");
    }

    @ParameterizedTest
    @CsvSource({
        "follow, POST, /api/v1/accounts/1/follow, true",
        "follow, POST, /api/v1/statuses, false",
        "write:favourites, POST, /api/v1/statuses/1/favourite, true",
        "write:favourites, DELETE, /api/v1/statuses/1, false",
        "profile, GET, /api/v1/accounts/verify_credentials, true",
        "profile, GET, /api/v1/notifications, false",
        "read:statuses, GET, /api/v1/timelines/home, true",
        "read:accounts, GET, /api/v1/accounts/1/statuses, false",
        "write, DELETE, /api/v1/statuses/1, true",
    })
    @DisplayName("permits what its scopes say")
    void parts(String scopes, String method, String path, boolean permitted) {
        assertThat(Scopes.permit(scopes, method.equals("GET"), path)).isEqualTo(permitted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"javascript:alert(1)", "data:text/html,x", "no-scheme", ""})
    @DisplayName("refuses apps with redirects that a browser would run")
    void redirects(String redirectUri) throws Exception {
        HttpResponse<String> answer = send(
                "POST", "/api/v1/apps", "", "{\"client_name\": \"x\", \"redirect_uris\": \"" + redirectUri + "\"}");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(json(answer).get("error").stringValue()).startsWith("Validation failed: Redirect URI");
    }
}
