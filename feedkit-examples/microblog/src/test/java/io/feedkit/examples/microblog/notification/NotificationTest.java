package io.feedkit.examples.microblog.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.microblog.StatusCalls;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("Notifications and markers")
class NotificationTest extends StatusCalls {

    private static final String LIST = "/api/v1/notifications";

    private final String annName = fresh("ann");
    private String ann = "";
    private String ben = "";

    @BeforeEach
    void open() throws Exception {
        ann = signUp(annName);
        ben = signUp(fresh("ben"));
    }

    private List<String> types(String path) throws IOException, InterruptedException {
        return json(get(path, ann))
                .valueStream()
                .map(each -> each.get("type").stringValue())
                .toList();
    }

    private int unread() throws IOException, InterruptedException {
        return json(get(LIST + "/unread_count", ann)).get("count").intValue();
    }

    /** One notification of each type. */
    private void happen() throws IOException, InterruptedException {
        String status = id(post(ann, "My post"));
        follow(ben, id(ann));
        act(ben, status, "favourite");
        act(ben, status, "reblog");
        post(ben, "@" + annName + " hello");
    }

    @Test
    @DisplayName("are listed newest first, with the status that they are about")
    void lists() throws Exception {
        happen();
        act(ann, id(post(ann, "To like it myself @" + annName)), "favourite");

        JsonNode all = json(get(LIST, ann));
        assertThat(types(LIST)).containsExactly("mention", "reblog", "favourite", "follow");
        assertThat(id(all.get(0).get("account"))).isEqualTo(id(ben));
        assertThat(all.get(1).get("status").get("content").stringValue()).isEqualTo("<p>My post</p>");
        assertThat(all.get(3).has("status")).isFalse();
        assertThat(id(json(get(LIST + "/" + id(all.get(3)), ann)))).isEqualTo(id(all.get(3)));
        assertThat(get(LIST + "/" + id(all.get(3)), ben).statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("are paged like timelines, and filtered by type")
    void pages() throws Exception {
        happen();
        List<String> all = ids(LIST, ann);

        assertThat(together(walk(LIST + "?limit=1", ann, "next"), page -> page)).isEqualTo(all);
        assertThat(ids(LIST + "?limit=2&min_id=" + all.get(3), ann)).isEqualTo(all.subList(1, 3));
        assertThat(types(LIST + "?types%5B%5D=follow&types%5B%5D=mention")).containsExactly("mention", "follow");
        assertThat(types(LIST + "?exclude_types%5B%5D=follow&limit=3"))
                .containsExactly("mention", "reblog", "favourite");
        HttpResponse<String> empty = get(LIST + "?types%5B%5D=poll", ann);
        assertThat(ids(empty)).isEmpty();
        assertThat(links(empty)).isEmpty();
    }

    @Test
    @DisplayName("count as unread until the marker is at the newest")
    void counts() throws Exception {
        happen();
        List<String> all = ids(LIST, ann);
        assertThat(unread()).isEqualTo(4);

        mark("{\"notifications\": {\"last_read_id\": \"" + all.get(1) + "\"}}");
        assertThat(unread()).isEqualTo(4);
        mark("{\"notifications\": {\"last_read_id\": \"" + all.get(0) + "\"}}");
        assertThat(unread()).isZero();

        send("POST", LIST + "/" + all.get(0) + "/dismiss", ann, "");
        assertThat(ids(LIST, ann)).isEqualTo(all.subList(1, 4));
        send("POST", LIST + "/clear", ann, "");
        assertThat(ids(LIST, ann)).isEmpty();
    }

    @Test
    @DisplayName("of a follow come once, and go with it")
    void followedAgain() throws Exception {
        follow(ben, id(ann));
        follow(ben, id(ann));
        assertThat(types(LIST)).containsExactly("follow");
        send("POST", "/api/v1/accounts/" + id(ann) + "/unfollow", ben, "");
        assertThat(types(LIST)).isEmpty();
        assertThat(unread()).isZero();
    }

    private JsonNode mark(String body) throws IOException, InterruptedException {
        return json(send("POST", "/api/v1/markers", ann, body));
    }

    @Test
    @DisplayName("keep how far home was read, from numbers, texts and forms")
    void markers() throws Exception {
        follow(ann, id(ben));
        String first = id(post(ben, "One"));
        String second = id(post(ben, "Two"));

        assertThat(json(get("/api/v1/markers?timeline%5B%5D=home", ann)).isEmpty())
                .isTrue();
        JsonNode marker = mark("{\"home\": {\"last_read_id\": " + first + "}, \"other\": {\"last_read_id\": 1}}");
        assertThat(marker.propertyNames()).containsExactly("home");
        assertThat(marker.get("home").get("version").intValue()).isEqualTo(1);
        assertThat(json(get("/api/feedkit/state", ann))
                        .get("unread")
                        .get("count")
                        .intValue())
                .isEqualTo(1);

        form("/api/v1/markers", ann, Map.of("home%5Blast_read_id%5D", second));
        JsonNode home = json(get("/api/v1/markers?timeline%5B%5D=home", ann)).get("home");
        assertThat(home.get("last_read_id").stringValue()).isEqualTo(second);
        assertThat(home.get("version").intValue()).isEqualTo(2);
        assertThat(home.get("updated_at").stringValue()).matches(".*\\.\\d{3}Z");
        assertThat(json(get("/api/feedkit/state", ann))
                        .get("unread")
                        .get("count")
                        .intValue())
                .isZero();
        assertThat(send("POST", "/api/v1/markers", ann, "{\"home\": {\"last_read_id\": \"x\"}}")
                        .statusCode())
                .isEqualTo(422);
    }
}
