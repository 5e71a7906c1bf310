package io.feedkit.examples.microblog.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.microblog.StatusCalls;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A status")
class StatusTest extends StatusCalls {

    private final String annName = fresh("ann");
    private String ann = "";
    private String ben = "";

    @BeforeEach
    void open() throws Exception {
        ann = signUp(annName);
        ben = signUp(fresh("ben"));
    }

    @Test
    @DisplayName("has an id and a time that all clients can read, and escaped text with links")
    void shows() throws Exception {
        JsonNode status = post(ben, "<b>Hi</b> @" + annName + " & @nobody\n\nhttps://example.org/?a=1&b=2.");

        assertThat(id(status)).hasSize(18);
        assertThat(status.get("created_at").stringValue())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(status.get("content").stringValue())
                .startsWith("<p>&lt;b&gt;Hi&lt;/b&gt; <a href=\"")
                .contains("/@" + annName + "\" class=\"u-url mention\">@" + annName + "</a> &amp; @nobody</p><p>")
                .contains(">https://example.org/?a=1&amp;b=2</a>.</p>");
        assertThat(status.get("mentions").get(0).get("id").stringValue()).isEqualTo(id(ann));
        assertThat(status.has("reblog")).isTrue();
        assertThat(status.get("reblog").isNull()).isTrue();
        assertThat(status.get("in_reply_to_id").isNull()).isTrue();
        assertThat(status.get("media_attachments").isEmpty()).isTrue();
    }

    @Test
    @DisplayName("is refused with Mastodon's errors")
    void refuses() throws Exception {
        requireRefused("{\"status\": \" \"}", 422, "Validation failed: Text can't be blank");
        requireRefused("{}", 422, "Validation failed: Text can't be blank");
        requireRefused(
                "{\"status\": \"x\", \"visibility\": \"direct\"}", 422, "Validation failed: Visibility must be public");
        requireRefused("{\"status\": \"x\", \"in_reply_to_id\": \"7\"}", 404, "Record not found");
        requireRefused("{\"status\": \"x\", \"in_reply_to_id\": \"seven\"}", 404, "Record not found");
    }

    private void requireRefused(String body, int status, String error) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", "/api/v1/statuses", ann, body);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(json(answer).get("error").stringValue()).isEqualTo(error);
    }

    @Test
    @DisplayName("has at most 500 characters")
    void limits() throws Exception {
        assertThat(post(ann, "\uD83D\uDE00".repeat(500)).has("id")).isTrue();
        assertThat(post(ann, "x".repeat(501)).get("error").stringValue())
                .isEqualTo("Validation failed: Text character limit of 500 exceeded");
    }

    @Test
    @DisplayName("counts for the instance")
    void countsForTheInstance() throws Exception {
        long before = statusCount();
        String status = id(post(ann, "Nice weather"));
        assertThat(statusCount()).isEqualTo(before + 1);

        send("DELETE", "/api/v1/statuses/" + status, ann, "");
        assertThat(statusCount()).isEqualTo(before);
    }

    private long statusCount() throws IOException, InterruptedException {
        return json(get("/api/v1/instance", ""))
                .get("stats")
                .get("status_count")
                .longValue();
    }

    @Test
    @DisplayName("is written once for an idempotency key")
    void isIdempotent() throws Exception {
        HttpResponse<String> first = postWithKey("one", "key");
        HttpResponse<String> again = postWithKey("another", "key");

        assertThat(again.statusCode()).isEqualTo(first.statusCode()).isEqualTo(200);
        assertThat(id(json(again))).isEqualTo(id(json(first)));
        assertThat(json(get("/api/v1/accounts/" + id(ann) + "/statuses", ann)).size())
                .isEqualTo(1);
    }

    private HttpResponse<String> postWithKey(String text, String key) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(url("/api/v1/statuses"))
                .header("Authorization", "Bearer " + ann)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"status\": \"" + text + "\"}"))
                .build());
    }

    @Test
    @DisplayName("counts a favourite once, notifies once, and takes it back")
    void favourites() throws Exception {
        String status = id(post(ben, "Nice weather"));
        act(ann, status, "favourite");
        JsonNode again = json(act(ann, status, "favourite"));

        assertThat(again.get("favourited").booleanValue()).isTrue();
        assertThat(again.get("favourites_count").intValue()).isEqualTo(1);
        assertThat(ids("/api/v1/statuses/" + status + "/favourited_by", ben)).containsExactly(id(ann));
        assertThat(ids("/api/v1/notifications", ben)).hasSize(1);

        JsonNode back = json(act(ann, status, "unfavourite"));
        assertThat(back.get("favourited").booleanValue()).isFalse();
        assertThat(back.get("favourites_count").intValue()).isZero();
        assertThat(ids("/api/v1/notifications", ben)).isEmpty();
    }

    @Test
    @DisplayName("is boosted once by an account, also through a boost")
    void boosts() throws Exception {
        String original = id(post(ben, "Worth a boost"));
        JsonNode boost = json(act(ann, original, "reblog"));
        JsonNode ofBoost = json(act(ben, id(boost), "reblog"));

        assertThat(id(boost.get("reblog"))).isEqualTo(original);
        assertThat(id(ofBoost.get("reblog"))).isEqualTo(original);
        assertThat(ofBoost.get("reblogs_count").intValue()).isEqualTo(2);
        assertThat(id(json(act(ann, original, "reblog")))).isEqualTo(id(boost));
        assertThat(ids("/api/v1/statuses/" + original + "/reblogged_by", ann)).containsExactly(id(ben), id(ann));

        JsonNode back = json(act(ann, original, "unreblog"));
        assertThat(back.get("reblogs_count").intValue()).isEqualTo(1);
        assertThat(get("/api/v1/statuses/" + id(boost), ann).statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("has a thread above and below it")
    void threads() throws Exception {
        String root = id(post(ben, "A question"));
        String middle = id(reply(ann, "An answer", root));
        String leaf = id(reply(ben, "Thanks", middle));

        JsonNode context = json(get("/api/v1/statuses/" + middle + "/context", ann));
        assertThat(idsOf(context.get("ancestors"))).containsExactly(root);
        assertThat(idsOf(context.get("descendants"))).containsExactly(leaf);
        assertThat(json(get("/api/v1/statuses/" + root, ann))
                        .get("replies_count")
                        .intValue())
                .isEqualTo(1);
    }

    private static List<String> idsOf(JsonNode statuses) {
        return statuses.valueStream().map(StatusCalls::id).toList();
    }

    @Test
    @DisplayName("takes its boosts, notifications and counts along when it is deleted")
    void deletes() throws Exception {
        String root = id(post(ann, "First"));
        String status = id(reply(ben, "@" + annName + " look", root));
        String answer = id(reply(ann, "I do", status));
        String boost = id(json(act(ann, status, "reblog")));
        act(ann, status, "favourite");
        assertThat(send("DELETE", "/api/v1/statuses/" + status, ann, "").statusCode())
                .isEqualTo(404);

        JsonNode deleted = json(send("DELETE", "/api/v1/statuses/" + status, ben, ""));

        assertThat(deleted.get("text").stringValue()).isEqualTo("@" + annName + " look");
        assertThat(get("/api/v1/statuses/" + status, ann).statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/statuses/" + boost, ann).statusCode()).isEqualTo(404);
        assertThat(ids("/api/v1/timelines/home", ann)).containsExactly(answer, root);
        assertThat(ids("/api/v1/notifications", ann)).isEmpty();
        assertThat(ids("/api/v1/notifications", ben)).hasSize(1); // of the answer
        assertThat(json(get("/api/v1/notifications/unread_count", ann))
                        .get("count")
                        .intValue())
                .isZero();
        assertThat(json(get("/api/v1/statuses/" + root, ann))
                        .get("replies_count")
                        .intValue())
                .isZero();
        assertThat(json(get("/api/v1/statuses/" + answer, ann))
                        .get("in_reply_to_id")
                        .isNull())
                .isTrue();
        assertThat(json(get("/api/v1/accounts/verify_credentials", ann))
                        .get("statuses_count")
                        .intValue())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("cannot be found after its delete")
    void isGone() throws Exception {
        String status = id(post(ben, "Soon gone"));
        send("DELETE", "/api/v1/statuses/" + status, ben, "");

        for (String action : List.of("favourite", "unfavourite", "reblog", "unreblog")) {
            assertThat(act(ann, status, action).statusCode()).as(action).isEqualTo(404);
        }
    }
}
