package io.feedkit.examples.microblog;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests through HTTP, on one server for all of them. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:microblog;MODE=PostgreSQL;DB_CLOSE_DELAY=-1",
            "microblog.rate-limit=off",
            "microblog.by-hand=true",
            "microblog.world=none"
        })
@Import(MicroblogTest.QuickPasswords.class)
@Timeout(60)
public abstract class MicroblogTest {

    protected static final String PASSWORD = "correct horse";

    /** Hashes in a millisecond. */
    static class QuickPasswords {

        @Bean
        @Primary
        PasswordEncoder quickPasswords() {
            return new BCryptPasswordEncoder(4);
        }
    }

    private static final AtomicInteger NAMES = new AtomicInteger();

    protected final HttpClient client = HttpClient.newHttpClient();

    @LocalServerPort
    protected int port;

    @Autowired
    private JsonMapper json;

    /** A name that no other test uses. */
    protected static String fresh(String beginning) {
        return beginning + NAMES.incrementAndGet();
    }

    protected URI url(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    protected JsonNode json(HttpResponse<String> response) {
        return json.readTree(response.body());
    }

    protected HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    protected HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
        return send(authorized(path, token).build());
    }

    /** Sends JSON, or no body if the text is empty. */
    protected HttpResponse<String> send(String method, String path, String token, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = authorized(path, token);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return send(request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    protected HttpResponse<String> form(String path, String token, Map<String, String> fields)
            throws IOException, InterruptedException {
        return send(authorized(path, token)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(encoded(fields)))
                .build());
    }

    protected static String encoded(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private HttpRequest.Builder authorized(String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url(path));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    /** Registers an app with the out-of-band redirect. */
    protected JsonNode app(String redirectUri) throws IOException, InterruptedException {
        return json(send("POST", "/api/v1/apps", "", """
                {"client_name": "tests", "redirect_uris": "%s", "scopes": "read write follow"}""".formatted(redirectUri)));
    }

    protected JsonNode app() throws IOException, InterruptedException {
        return app("urn:ietf:wg:oauth:2.0:oob");
    }

    protected String appToken(JsonNode app) throws IOException, InterruptedException {
        return json(form(
                        "/oauth/token",
                        "",
                        Map.of(
                                "grant_type",
                                "client_credentials",
                                "client_id",
                                app.get("client_id").stringValue(),
                                "client_secret",
                                app.get("client_secret").stringValue(),
                                "scope",
                                "read write follow")))
                .get("access_token")
                .stringValue();
    }

    /** Opens an account with this name, and returns its token. */
    protected String signUp(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", "/api/v1/accounts", appToken(app()), account(name));
        return json(answer).get("access_token").stringValue();
    }

    protected static String account(String name) {
        return """
                {"username": "%s", "email": "%s@example.org", "password": "%s", "agreement": true}""".formatted(name, name, PASSWORD);
    }

    /** The id of a token's account. */
    protected String id(String token) throws IOException, InterruptedException {
        return json(get("/api/v1/accounts/verify_credentials", token)).get("id").stringValue();
    }
}
