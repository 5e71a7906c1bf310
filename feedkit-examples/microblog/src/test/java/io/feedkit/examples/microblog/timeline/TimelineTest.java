package io.feedkit.examples.microblog.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.StatusCalls;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DisplayName("A timeline")
class TimelineTest extends StatusCalls {

    private static final String HOME = "/api/v1/timelines/home";
    private static final int POSTS = 9;

    @Autowired
    private FeedEngine feed;

    private String ann = "";
    private String ben = "";

    /** The newest first. */
    private final List<String> posts = new ArrayList<>();

    @BeforeEach
    void write() throws Exception {
        ann = signUp(fresh("ann"));
        ben = signUp(fresh("ben"));
        follow(ann, id(ben));
        for (int i = 0; i < POSTS; i++) {
            posts.add(0, id(post(ben, "Post " + i)));
        }
        arrived(posts.get(0));
    }

    private void arrived(String post) {
        feed.fanout().drain();
        await().untilAsserted(() -> assertThat(ids(HOME, ann)).contains(post));
    }

    @Test
    @DisplayName("is walked down to its end, and up again")
    void walks() throws Exception {
        assertThat(together(walk(HOME + "?limit=2", ann, "next"), page -> page)).isEqualTo(posts);
        long belowAll = Long.parseLong(posts.get(POSTS - 1)) - 1;
        assertThat(together(walk(HOME + "?limit=2&min_id=" + belowAll, ann, "prev"), TimelineTest::reversed))
                .isEqualTo(reversed(posts));
    }

    private static List<String> reversed(List<String> list) {
        List<String> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }

    @Test
    @DisplayName("is cut at the ids that a client gives, and the newest comes first")
    void isBounded() throws Exception {
        assertThat(ids(HOME + "?limit=2&max_id=" + posts.get(3), ann)).isEqualTo(posts.subList(4, 6));
        assertThat(ids(HOME + "?limit=2&since_id=" + posts.get(5), ann)).isEqualTo(posts.subList(0, 2));
        assertThat(ids(HOME + "?since_id=" + posts.get(2), ann)).isEqualTo(posts.subList(0, 2));
        assertThat(ids(HOME + "?limit=2&min_id=" + posts.get(5), ann)).isEqualTo(posts.subList(3, 5));
        assertThat(ids(HOME + "?since_id=" + posts.get(5) + "&max_id=" + posts.get(1), ann))
                .isEqualTo(posts.subList(2, 5));
        assertThat(ids(HOME + "?limit=2&min_id=" + posts.get(5) + "&max_id=" + posts.get(1), ann))
                .isEqualTo(posts.subList(3, 5));
        assertThat(ids(HOME + "?max_id=" + Long.MAX_VALUE, ann)).isEqualTo(posts);
        assertThat(ids(HOME + "?max_id=1", ann)).isEmpty();
    }

    @Test
    @DisplayName("links to the next page first, and not at all from an empty page")
    void links() throws Exception {
        assertThat(links(get(HOME + "?limit=2", ann))).containsExactly("next", "prev");
        HttpResponse<String> empty = get(HOME + "?since_id=" + posts.get(0), ann);
        assertThat(ids(empty)).isEmpty();
        assertThat(empty.headers().firstValue("Link")).isEmpty();
    }

    @Test
    @DisplayName("is walked without a gap or a repeat while posts come and go")
    void changesInMidWalk() throws Exception {
        List<String> walked = new ArrayList<>();
        Optional<String> next = Optional.of(HOME + "?limit=2");
        while (next.isPresent()) {
            HttpResponse<String> page = get(next.get(), ann);
            walked.addAll(ids(page));
            next = link(page, "next");
            if (walked.size() == 2) {
                post(ben, "A new one");
                send("DELETE", "/api/v1/statuses/" + posts.get(1), ben, ""); // the place of the walk
                send("DELETE", "/api/v1/statuses/" + posts.get(4), ben, "");
            }
        }
        List<String> expected = new ArrayList<>(posts);
        expected.remove(posts.get(4));
        assertThat(walked).isEqualTo(expected);
    }

    @Test
    @DisplayName("of home leaves out a boost of what it shows")
    void leavesRepeatsOut() throws Exception {
        String cat = signUp(fresh("cat"));
        follow(ann, id(cat));
        String boost = id(json(act(cat, posts.get(0), "reblog")));
        String last = id(post(cat, "Something else"));
        arrived(last);
        assertThat(ids(HOME, ann)).doesNotContain(boost).startsWith(last, posts.get(0));

        send("POST", "/api/v1/accounts/" + id(ben) + "/unfollow", ann, "");
        assertThat(ids(HOME, ann)).containsExactly(last, boost);
    }

    @Test
    @DisplayName("of an account leaves out replies and boosts if asked, and fills the page")
    void filters() throws Exception {
        String reply = id(reply(ben, "To myself", posts.get(0)));
        String boost = id(json(act(ben, posts.get(1), "reblog")));
        String path = "/api/v1/accounts/" + id(ben) + "/statuses?limit=3";

        assertThat(ids(path, ann)).containsExactly(boost, reply, posts.get(0));
        assertThat(ids(path + "&exclude_replies=true&exclude_reblogs=true", ann))
                .isEqualTo(posts.subList(0, 3));
        assertThat(ids(path + "&pinned=true", ann)).isEmpty();
        assertThat(get("/api/v1/accounts/7/statuses", ann).statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("of everybody is walked both ways")
    void ofAll() throws Exception {
        List<String> all = together(walk("/api/v1/timelines/public?limit=40", ann, "next"), page -> page);
        assertThat(all).startsWith(posts.toArray(String[]::new)).doesNotHaveDuplicates();
        assertThat(ids("/api/v1/timelines/public?limit=2&min_id=" + posts.get(5), ann))
                .isEqualTo(posts.subList(3, 5));
    }
}
