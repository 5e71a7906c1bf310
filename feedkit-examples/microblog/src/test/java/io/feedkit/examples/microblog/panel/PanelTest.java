package io.feedkit.examples.microblog.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.StatusCalls;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The panel")
class PanelTest extends StatusCalls {

    @Autowired
    private FeedEngine feed;

    @Autowired
    private JsonMapper mapper;

    private String ann = "";
    private String ben = "";

    @BeforeEach
    void open() throws Exception {
        ann = signUp(fresh("ann"));
        ben = signUp(fresh("ben"));
        follow(ann, id(ben));
    }

    @AfterEach
    void reset() {
        feed.useOwnPolicyOnAllEngines();
    }

    private HttpResponse<String> use(String policy) throws IOException, InterruptedException {
        return send("PUT", "/api/feedkit/policy", ann, "{\"name\": \"" + policy + "\"}");
    }

    private JsonNode header(HttpResponse<String> page) {
        return mapper.readTree(page.headers().firstValue("X-FeedKit").orElseThrow());
    }

    @Test
    @DisplayName("shows how a home page was made, under each policy")
    void shows() throws Exception {
        get("/api/v1/timelines/home", ann); // opens the inbox
        assertThat(json(use("push")).get("policy").stringValue()).isEqualTo("push");
        String pushed = id(post(ben, "Pushed"));
        await().untilAsserted(() ->
                assertThat(way(pushed).get("finished").booleanValue()).isTrue());
        use("pull");
        String pulled = id(post(ben, "Pulled"));
        await().untilAsserted(
                        () -> assertThat(ids("/api/v1/timelines/home", ann)).containsExactly(pulled, pushed));

        JsonNode numbers = header(get("/api/v1/timelines/home", ann));
        assertThat(numbers.get("policy").stringValue()).isEqualTo("pull");
        assertThat(numbers.get("fromInbox").intValue()).isEqualTo(1);
        assertThat(numbers.get("fromOutboxes").intValue()).isEqualTo(1);
        assertThat(numbers.get("roundTrips").intValue()).isPositive();
        assertThat(numbers.get("micros").longValue()).isPositive();
        assertThat(feed.countNewer(
                                id(ann),
                                io.feedkit.Cursor.parse(numbers.get("newer").stringValue()))
                        .count())
                .isZero();
        assertThat(use("unknown").statusCode()).isEqualTo(422);
    }

    private JsonNode way(String status) throws IOException, InterruptedException {
        JsonNode way = json(get("/api/feedkit/last-post", ann));
        assertThat(way.get("status").stringValue()).isEqualTo(status);
        return way;
    }

    @Test
    @DisplayName("shows how the last post was delivered")
    void follows() throws Exception {
        get("/api/v1/timelines/home", ann);
        use("push");
        String status = id(post(ben, "On its way"));

        await().untilAsserted(() ->
                assertThat(way(status).get("delivered").intValue()).isPositive());
        JsonNode way = way(status);
        assertThat(id(way.get("author"))).isEqualTo(id(ben));
        assertThat(way.get("mode").stringValue()).isEqualTo("PUSH");
        assertThat(way.get("followers").intValue()).isEqualTo(1);
    }

    @Test
    @DisplayName("shows the state of the server, and what is unread")
    void state() throws Exception {
        post(ben, "Unread");
        JsonNode state = json(get("/api/feedkit/state", ann));

        assertThat(state.get("policies").valueStream().map(JsonNode::stringValue))
                .containsExactly("push", "pull", "hybrid", "online");
        assertThat(state.get("store").stringValue()).contains("H2");
        assertThat(state.get("unread").get("count").intValue()).isEqualTo(1);
        assertThat(state.get("dots").get("notifications").intValue()).isZero();

        String newer = header(get("/api/v1/timelines/home", ann)).get("newer").stringValue();
        assertThat(send("POST", "/api/feedkit/seen", ann, "{\"newer\": \"" + newer + "\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(send("POST", "/api/feedkit/seen", ann, "{}").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("pages through the top order without a repeat")
    void ranks() throws Exception {
        List<String> posts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            posts.add(0, id(post(ben, "Post " + i)));
        }
        act(ann, posts.get(3), "favourite");
        await().untilAsserted(
                        () -> assertThat(ids("/api/v1/timelines/home", ann)).isEqualTo(posts));

        List<String> shown = new ArrayList<>();
        String path = "/api/feedkit/top?limit=2";
        JsonNode top = json(get(path, ann));
        items(top, shown);
        post(ben, "Later");
        while (!top.get("next").isNull()) {
            top = json(get(path + "&after=" + top.get("next").stringValue(), ann));
            items(top, shown);
        }
        assertThat(shown).startsWith(posts.get(3)).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(get(path + "&after=nonsense", ann).statusCode()).isEqualTo(400);
    }

    private static void items(JsonNode top, List<String> into) {
        top.get("items").valueStream().map(StatusCalls::id).forEach(into::add);
    }

    @Test
    @DisplayName("has the same page by one join, for comparison")
    void byHand() throws Exception {
        post(ben, "One");
        post(ann, "Own");
        await().untilAsserted(
                        () -> assertThat(ids("/api/v1/timelines/home", ann)).hasSize(2));
        HttpResponse<String> page = get("/api/feedkit/by-hand", ann);

        assertThat(ids(page)).isEqualTo(ids("/api/v1/timelines/home", ann));
        assertThat(header(page).get("roundTrips").intValue()).isEqualTo(1);
    }
}
