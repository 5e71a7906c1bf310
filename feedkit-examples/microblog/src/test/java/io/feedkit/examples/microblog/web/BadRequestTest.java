package io.feedkit.examples.microblog.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.microblog.MicroblogTest;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is wrong is answered with a status and an error")
class BadRequestTest extends MicroblogTest {

    private void assertError(HttpResponse<String> answer, int status, String error) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(json(answer).get("error").stringValue()).isEqualTo(error);
        assertThat(answer.body()).doesNotContain("Exception", "\tat ");
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "GET, /api/v1/nothing, 404, Record not found",
        "GET, /nothing.html, 404, Record not found",
        "GET, /api/v1/accounts/verify_credentials, 401, The access token is invalid",
        "GET, /api/v1/accounts/1, 404, Record not found",
        "GET, /api/v1/accounts/abc, 404, Record not found",
        "GET, /api/v1/accounts/99999999999999999999999, 404, Record not found",
        "GET, /api/v1/accounts/lookup, 400, Bad Request",
        "GET, /api/v1/accounts/lookup?acct=nobody, 404, Record not found",
        "DELETE, /api/v1/instance, 405, Method Not Allowed",
        "POST, /api/v1/instance, 405, Method Not Allowed",
        "POST, /api/v1/apps, 400, Bad Request",
        "GET, /error, 404, Not Found",
        "GET, /api/v1/accounts/%00, 400, Bad Request",
        "GET, /api/v1/accounts/..%2Fetc, 400, Bad Request",
        "GET, //api/v1/instance, 400, Bad Request",
        "GET, /api/v1/accounts/lookup?acct=%ff%fe, 400, Bad Request",
        "GET, /actuator/env, 401, The access token is invalid",
    })
    void withoutToken(String method, String path, int status, String error) throws Exception {
        assertError(send(method, path, "", ""), status, error);
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "GET, /api/v1/accounts/relationships?id[]=abc, 400, Bad Request",
        "GET, /api/v1/accounts/search?q=a&limit=many, 400, Parameter limit must be a whole number",
        "GET, /api/v1/accounts/search?q=a&max_id=-1, 400, Parameter max_id must be a whole number",
        "POST, /api/v1/accounts/1/follow, 404, Record not found",
        "POST, /api/v1/announcements/1/dismiss, 404, Record not found",
        "GET, /api/v2/search, 400, Bad Request",
    })
    void withToken(String method, String path, int status, String error) throws Exception {
        assertError(send(method, path, signUp(fresh("bad")), ""), status, error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{", "[]", "\"text\"", "{\"client_name\": {}}", "{\"scopes\": [1]}", "nonsense"})
    @DisplayName("bad JSON")
    void json(String body) throws Exception {
        assertError(send("POST", "/api/v1/apps", "", body), 400, "Bad Request");
    }

    @Test
    @DisplayName("unknown, malformed and app-only tokens")
    void tokens() throws Exception {
        String path = "/api/v1/accounts/verify_credentials";
        assertError(get(path, "unknown"), 401, "The access token is invalid");
        assertError(get(path, "with space"), 401, "The access token is invalid");
        assertError(get("/api/v1/instance", "unknown"), 401, "The access token is invalid");
        assertError(get(path, appToken(app())), 422, "This method requires an authenticated user");
        assertThat(get("/api/v1/apps/verify_credentials", appToken(app())).statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("bodies of other types, that are too large, or that do not say how large they are")
    void bodies() throws Exception {
        HttpRequest.Builder text = HttpRequest.newBuilder(url("/api/v1/apps")).header("Content-Type", "text/plain");
        assertError(send(text.POST(BodyPublishers.ofString("x")).build()), 415, "Unsupported Media Type");
        HttpRequest.Builder post =
                HttpRequest.newBuilder(url("/api/v1/apps")).header("Content-Type", "application/json");
        assertError(
                send(post.POST(BodyPublishers.ofByteArray(new byte[1_000_001])).build()), 413, "Content Too Large");
        byte[] part = "{}".getBytes(StandardCharsets.UTF_8);
        assertError(send(post.POST(BodyPublishers.ofByteArrays(List.of(part))).build()), 411, "Length Required");
    }

    @Test
    @DisplayName("errors are JSON also for clients that accept only an event stream")
    void eventStreams() throws Exception {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(url("/api/v1/streaming/user?since=nonsense"))
                .header("Accept", "text/event-stream")
                .header("Authorization", "Bearer " + signUp(fresh("bad")))
                .build());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(json(answer).get("error").stringValue()).isNotEmpty();
    }

    @Test
    @DisplayName("but forms are none, whether with parts or with numbers for booleans")
    void forms() throws Exception {
        String name = fresh("form");
        HttpResponse<String> answer = form(
                "/api/v1/accounts",
                appToken(app()),
                Map.of("username", name, "email", name + "@example.org", "password", PASSWORD, "agreement", "1"));
        assertThat(answer.statusCode()).isEqualTo(200);
        String parts = "--b\r\nContent-Disposition: form-data; name=\"display_name\"\r\n\r\nIn parts\r\n--b--\r\n";
        HttpResponse<String> profile = send(HttpRequest.newBuilder(url("/api/v1/accounts/update_credentials"))
                .header(
                        "Authorization",
                        "Bearer " + json(answer).get("access_token").stringValue())
                .header("Content-Type", "multipart/form-data; boundary=b")
                .method("PATCH", BodyPublishers.ofString(parts))
                .build());
        assertThat(profile.body()).contains("\"display_name\":\"In parts\"");
    }

    @Test
    @DisplayName("but a slash too many is none")
    void trailingSlash() throws Exception {
        assertThat(get("/api/v1/instance/", "").statusCode()).isEqualTo(200);
        assertThat(json(get("/api/v1/instance/", ""))
                        .get("urls")
                        .get("streaming_api")
                        .stringValue())
                .isEqualTo("ws://127.0.0.1:" + port);
    }

    @Test
    @DisplayName("and pages of all origins may call the API, but not the forms")
    void cors() throws Exception {
        HttpResponse<String> answer = preflight("/api/v1/apps");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
        assertThat(answer.headers().firstValue("Access-Control-Allow-Credentials"))
                .isEmpty();
        assertThat(preflight("/oauth/authorize").headers().firstValue("Access-Control-Allow-Origin"))
                .isEmpty();
        HttpResponse<String> plain = send(HttpRequest.newBuilder(url("/api/v1/instance"))
                .header("Origin", "https://client.example")
                .build());
        assertThat(plain.headers().firstValue("Access-Control-Expose-Headers").orElseThrow())
                .contains("Link");
    }

    private HttpResponse<String> preflight(String path) throws Exception {
        return send(HttpRequest.newBuilder(url(path))
                .header("Origin", "https://client.example")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization,content-type,idempotency-key")
                .method("OPTIONS", BodyPublishers.noBody())
                .build());
    }

    @Test
    @DisplayName("and answers say what browsers must not do")
    void securityHeaders() throws Exception {
        HttpResponse<String> page = get("/api/v1/instance", "");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'self'", "frame-ancestors 'none'");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
}
