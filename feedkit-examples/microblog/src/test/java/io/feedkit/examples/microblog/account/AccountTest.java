package io.feedkit.examples.microblog.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.microblog.MicroblogTest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@DisplayName("Accounts")
class AccountTest extends MicroblogTest {

    private static final Pattern NEXT = Pattern.compile("^<http://[^/>]+([^>]+)>; rel=\"next\"");

    private JsonNode relationship(String token, String id) throws Exception {
        return json(get("/api/v1/accounts/relationships?id[]=" + id, token)).get(0);
    }

    @Test
    @DisplayName("are as clients expect them")
    void account() throws Exception {
        String name = fresh("ann");
        String token = signUp(name);
        JsonNode account = json(get("/api/v1/accounts/" + id(token), ""));
        assertThat(account.get("id").stringValue()).matches("\\d{18}");
        assertThat(account.get("created_at").stringValue()).matches("\\S+T\\S+\\.\\d{3}Z");
        assertThat(account.get("url").stringValue()).isEqualTo("http://127.0.0.1:" + port + "/@" + name);
        assertThat(account.get("followers_count").longValue()).isZero();
        assertThat(account.get("fields").isArray()).isTrue();
        assertThat(get("/avatars/" + name + ".svg", "").body()).startsWith("<svg");
        assertThat(json(get("/api/v1/accounts/lookup?acct=@" + name, "")).get("id"))
                .isEqualTo(account.get("id"));
    }

    @Test
    @DisplayName("follow once, count and stop following")
    void follow() throws Exception {
        String ann = signUp(fresh("ann"));
        String bob = signUp(fresh("bob"));
        for (int i = 0; i < 2; i++) {
            JsonNode answer = json(send("POST", "/api/v1/accounts/" + id(bob) + "/follow", ann, ""));
            assertThat(answer.get("following").booleanValue()).isTrue();
        }
        assertThat(relationship(bob, id(ann)).get("followed_by").booleanValue()).isTrue();
        assertThat(json(get("/api/v1/accounts/" + id(bob), ""))
                        .get("followers_count")
                        .longValue())
                .isEqualTo(1);
        assertThat(json(get("/api/v1/accounts/" + id(ann), ""))
                        .get("following_count")
                        .longValue())
                .isEqualTo(1);
        send("POST", "/api/v1/accounts/" + id(bob) + "/unfollow", ann, "");
        assertThat(relationship(ann, id(bob)).get("following").booleanValue()).isFalse();
        assertThat(json(get("/api/v1/accounts/" + id(bob), ""))
                        .get("followers_count")
                        .longValue())
                .isZero();
        assertThat(send("POST", "/api/v1/accounts/" + id(ann) + "/follow", ann, "")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    @DisplayName("list followers page by page, with links to the very end")
    void followers() throws Exception {
        String ann = id(signUp(fresh("ann")));
        List<String> followers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String follower = signUp(fresh("fan"));
            followers.add(id(follower));
            send("POST", "/api/v1/accounts/" + ann + "/follow", follower, "");
        }
        List<String> seen = new ArrayList<>();
        String path = "/api/v1/accounts/" + ann + "/followers?limit=2";
        while (!path.isEmpty()) {
            HttpResponse<String> page = get(path, "");
            json(page).forEach(account -> seen.add(account.get("id").stringValue()));
            Matcher next = NEXT.matcher(page.headers().firstValue("Link").orElse(""));
            path = next.find() ? next.group(1) : "";
        }
        assertThat(seen).containsExactlyElementsOf(followers);
    }

    @Test
    @DisplayName("are found by the beginning of their names")
    void search() throws Exception {
        String name = fresh("searchable");
        String token = signUp(name);
        JsonNode found = json(get("/api/v2/search?type=accounts&q=@" + name.substring(0, 8), token));
        assertThat(found.get("accounts").findValuesAsString("username")).contains(name);
        assertThat(json(get("/api/v2/search?q=100%25_", token)).get("accounts").isEmpty())
                .isTrue();
    }

    @Test
    @DisplayName("change what they say of themselves, which is shown escaped")
    void update() throws Exception {
        String token = signUp(fresh("ann"));
        JsonNode me = json(send(
                "PATCH",
                "/api/v1/accounts/update_credentials",
                token,
                "{\"note\": \"<script>\", \"display_name\": \"A\"}"));
        assertThat(me.get("note").stringValue()).isEqualTo("<p>&lt;script&gt;</p>");
        assertThat(me.get("source").get("note").stringValue()).isEqualTo("<script>");
        assertThat(me.get("display_name").stringValue()).isEqualTo("A");
    }

    @ParameterizedTest
    @CsvSource({
        "a b, a@example.org, long enough, true, Username must contain only letters",
        "'', a@example.org, long enough, true, Username must contain only letters",
        "fine, no mail, long enough, true, Email must be a valid e-mail address",
        "fine, a@example.org, short, true, Password is too short",
        "fine, a@example.org, long enough, false, Agreement must be accepted",
    })
    @DisplayName("are refused with the reason")
    void refused(String name, String email, String password, boolean agreement, String reason) throws Exception {
        String body = """
                {"username": "%s", "email": "%s", "password": "%s", "agreement": %s}""".formatted(name, email, password, agreement);
        HttpResponse<String> answer = send("POST", "/api/v1/accounts", appToken(app()), body);
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(json(answer).get("error").stringValue()).startsWith("Validation failed: " + reason);
    }

    @Test
    @DisplayName("have names of their own")
    void taken() throws Exception {
        String name = fresh("ann");
        signUp(name);
        HttpResponse<String> answer = send("POST", "/api/v1/accounts", appToken(app()), account(name));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(json(answer).get("error").stringValue())
                .isEqualTo("Validation failed: Username has already been taken");
        assertThat(send("POST", "/api/v1/accounts", "", account(name)).statusCode())
                .isEqualTo(401);
    }
}
