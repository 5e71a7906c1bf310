package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A post that a page has shown is on every later page, whatever the pages are made of")
class VisibleOnAllPathsTest {

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore storeOfA = new ProbedStore(memory);
    private final ProbedStore storeOfB = new ProbedStore(memory);
    private final FeedEngine a = engine(storeOfA);
    private final FeedEngine b = engine(storeOfB);

    private FeedEngine engine(ProbedStore store) {
        return FeedEngine.builder(store).clock(clock).workers(0).build();
    }

    @BeforeEach
    void follow() {
        for (String author : List.of("bob", "cid", "dan")) {
            a.follow("ann", author);
        }
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private void publishAndDeliver(String author, String id) {
        publish(author, id);
        a.fanout().drain();
    }

    private void publish(String author, String id) {
        clock.advance(Duration.ofMillis(1));
        a.publish(author, id);
    }

    private static void inboxIsDown(ProbedStore store) {
        List.of("slice", "count", "deliver", "open", "merge", "complete", "retract")
                .forEach(call -> store.fail("Inbox." + call));
    }

    private static FeedPage<Post> first(FeedEngine engine, int limit) {
        return engine.read("ann", PageRequest.first(limit));
    }

    private static List<String> ids(FeedPage<Post> page) {
        return page.items().stream().map(Post::id).toList();
    }

    /** The rest of a walk, page by page. */
    private static List<String> rest(FeedEngine engine, FeedPage<Post> page, int limit) {
        List<String> ids = new ArrayList<>();
        Optional<Cursor> older = page.older();
        while (older.isPresent()) {
            FeedPage<Post> next = engine.read(
                    "ann", PageRequest.older(Cursor.parse(older.get().toString()), limit));
            ids.addAll(ids(next));
            older = next.older();
        }
        return ids;
    }

    @Test
    @DisplayName("after a page without the inbox store")
    void afterOutage() {
        publishAndDeliver("bob", "b1");
        assertThat(ids(first(a, 10))).containsExactly("b1");
        publish("bob", "b2");
        publish("cid", "c1");
        inboxIsDown(storeOfA);
        assertThat(ids(first(a, 10))).containsExactly("c1", "b2", "b1");
        storeOfA.heal();
        assertThat(ids(first(a, 10))).containsExactly("c1", "b2", "b1");
        assertThat(a.unread("ann").count()).isEqualTo(3);
        clock.advance(Duration.ofSeconds(1));
        assertThat(ids(first(b, 10))).containsExactly("c1", "b2", "b1");
        assertThat(b.unread("ann").count()).isEqualTo(3);
        a.fanout().drain();
        assertThat(ids(first(a, 10))).containsExactly("c1", "b2", "b1");
    }

    @Test
    @DisplayName("in the rest of a walk that began without the inbox store")
    void walkAfterOutage() {
        publishAndDeliver("bob", "b1");
        publishAndDeliver("cid", "c1");
        assertThat(ids(first(a, 10))).containsExactly("c1", "b1");
        publish("bob", "b2");
        publish("dan", "d1");
        publish("cid", "c2");
        inboxIsDown(storeOfA);
        FeedPage<Post> page = first(a, 1);
        assertThat(ids(page)).containsExactly("c2");
        storeOfA.heal();
        assertThat(rest(a, page, 1)).containsExactly("d1", "b2", "c1", "b1");
    }

    @Test
    @DisplayName("in the rest of a poll that began without the inbox store")
    void pollAfterOutage() {
        publishAndDeliver("bob", "b1");
        FeedPage<Post> shown = first(a, 10);
        assertThat(ids(shown)).containsExactly("b1");
        publish("bob", "b2");
        publish("dan", "d1");
        publish("cid", "c2");
        inboxIsDown(storeOfA);
        FeedPage<Post> page = a.read("ann", PageRequest.newer(shown.newer(), 1));
        assertThat(ids(page)).containsExactly("b2");
        storeOfA.heal();
        FeedPage<Post> next = a.read("ann", PageRequest.newer(parsed(page.newer()), 1));
        assertThat(ids(next)).containsExactly("d1");
        next = a.read("ann", PageRequest.newer(parsed(next.newer()), 5));
        assertThat(ids(next)).containsExactly("c2");
        assertThat(next.moreNewer()).isFalse();
        assertThat(ids(a.read("ann", PageRequest.newer(parsed(next.newer()), 5))))
                .isEmpty();
        assertThat(ids(first(a, 10))).containsExactly("c2", "d1", "b2", "b1");
    }

    private static Cursor parsed(Cursor cursor) {
        return Cursor.parse(cursor.toString());
    }

    @Test
    @DisplayName("after a page that was read while another engine was building the inbox")
    void whileAnotherEngineBuilds() {
        publishAndDeliver("bob", "b1");
        List<String> seen = new ArrayList<>();
        storeOfA.before("Inbox.merge", () -> {
            storeOfA.heal();
            publish("bob", "b2");
            seen.addAll(ids(first(b, 10)));
        });
        first(a, 10);
        assertThat(seen).containsExactly("b2", "b1");
        assertThat(ids(first(b, 10))).containsExactly("b2", "b1");
        clock.advance(Duration.ofSeconds(1));
        assertThat(ids(first(a, 10))).containsExactly("b2", "b1");
    }

    @Test
    @DisplayName("after a page that was read during a follow")
    void duringFollow() {
        publishAndDeliver("cid", "c1");
        publishAndDeliver("eve", "e1");
        assertThat(ids(first(a, 10))).containsExactly("c1");
        List<String> seen = new ArrayList<>();
        List<String> walked = new ArrayList<>();
        storeOfA.before("Inbox.endFollow", () -> {
            storeOfA.heal();
            publish("eve", "e2");
            publish("eve", "e3");
            seen.addAll(ids(first(b, 1)));
            walked.addAll(rest(b, first(b, 1), 1));
        });
        a.follow("ann", "eve");
        assertThat(seen).containsExactly("e3");
        assertThat(walked).containsExactly("e2", "e1", "c1");
        assertThat(ids(first(b, 10))).containsExactly("e3", "e2", "e1", "c1");
    }

    @Test
    @DisplayName("and its author is pushed again as soon as the post's own push is done")
    void authorLeavesRegister() {
        publishAndDeliver("bob", "b1");
        first(a, 10);
        publish("bob", "b2");
        inboxIsDown(storeOfA);
        first(a, 10);
        storeOfA.heal();
        assertThat(registered("bob")).isTrue();
        a.fanout().drain();
        a.fanout().drain();
        assertThat(registered("bob")).isFalse();
        assertThat(ids(first(a, 10))).containsExactly("b2", "b1");
    }

    @Test
    @DisplayName("and posts whose push was done before the page do not enter the register")
    void onlyUnsettled() {
        publishAndDeliver("bob", "b1");
        first(a, 10);
        clock.advance(Duration.ofMillis(1));
        publish("cid", "c1");
        inboxIsDown(storeOfA);
        assertThat(ids(first(a, 10))).containsExactly("c1", "b1");
        assertThat(registered("bob")).isFalse();
        assertThat(registered("cid")).isTrue();
        int puts = storeOfA.calls("PulledRegister.put");
        first(a, 10);
        assertThat(storeOfA.calls("PulledRegister.put")).isEqualTo(puts);
    }

    /**
     * Lets an engine show a post early whose push is done, because an older task of another author holds the settled
     * mark. Then lets that task go.
     */
    private void showBehindSlowTask(FeedEngine engine, ProbedStore store) {
        publishAndDeliver("bob", "b1");
        first(a, 10);
        publish("dan", "d1");
        FanoutLog log = memory.outbox().fanout();
        List<FanoutLog.Claim> slow = log.claim(10, 3_600_000);
        publishAndDeliver("bob", "b2");
        inboxIsDown(store);
        assertThat(ids(first(engine, 10))).containsExactly("b2", "d1", "b1");
        store.heal();
        assertThat(registered("bob")).isTrue();
        a.fanout().drain();
        clock.advance(Duration.ofSeconds(1));
        a.fanout().drain();
        assertThat(ids(first(engine, 10))).containsExactly("b2", "d1", "b1");
        assertThat(registered("bob")).as("while the task is not done").isTrue();
        log.release(List.of(new FanoutLog.Release(slow.get(0), "", 0)));
        clock.advance(Duration.ofSeconds(1));
        a.fanout().drain();
        clock.advance(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("and its author is pushed again although the post's own push was done before the page")
    void authorLeavesRegisterAfterwards() {
        showBehindSlowTask(a, storeOfA);
        a.fanout().drain();
        assertThat(registered("bob")).isFalse();
        assertThat(registered("dan")).isFalse();
        assertThat(ids(first(a, 10))).containsExactly("b2", "d1", "b1");
    }

    @Test
    @DisplayName("and its author is pushed again, also if the page was read on an engine without workers")
    void authorLeavesRegisterWithoutWorkers() {
        showBehindSlowTask(b, storeOfB);
        assertThat(ids(first(b, 10))).containsExactly("b2", "d1", "b1");
        a.fanout().drain();
        assertThat(registered("bob")).isFalse();
        assertThat(ids(first(b, 10))).containsExactly("b2", "d1", "b1");
    }

    @Test
    @DisplayName("and its author stays pulled if the author's posts are not pushed")
    void pulledAuthorStays() {
        a.usePolicy(FanoutPolicy.pull());
        first(a, 10);
        storeOfA.before("PulledRegister.put", () -> {
            storeOfA.heal();
            inboxIsDown(storeOfB);
            assertThat(ids(first(b, 10)))
                    .as("before the publisher registers the post")
                    .containsExactly("b1");
            storeOfB.heal();
        });
        publishAndDeliver("bob", "b1");
        assertThat(storeOfB.calls("PulledRegister.put")).isOne();
        clock.advance(Duration.ofSeconds(1));
        assertThat(ids(first(b, 10))).containsExactly("b1");
        a.fanout().drain();
        assertThat(registered("bob")).isTrue();
    }

    @Test
    @DisplayName("and its author stays pulled if the author was pulled before the page showed older posts, too")
    void pulledAuthorStaysWithOlderPosts() {
        publishAndDeliver("bob", "b1");
        first(a, 10);
        a.usePolicy(FanoutPolicy.pull());
        clock.advance(Duration.ofHours(1));
        publishAndDeliver("bob", "b2");
        inboxIsDown(storeOfA);
        assertThat(ids(first(a, 10))).containsExactly("b2", "b1");
        storeOfA.heal();
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(2));
            a.fanout().drain();
            assertThat(ids(first(a, 10))).containsExactly("b2", "b1");
        }
        assertThat(registered("bob")).isTrue();
    }

    @Test
    @DisplayName("and its author is pushed again if it is not known whether the author was entered")
    void authorLeavesRegisterAfterUnknownOutcome() {
        storeOfA.after("PulledRegister.put", () -> {
            storeOfA.heal();
            throw new OutcomeUnknownException("register.put", null);
        });
        publishAndDeliver("bob", "b1");
        first(b, 10);
        List.of("slice", "open").forEach(call -> storeOfA.fail("Inbox." + call));
        assertThatThrownBy(() -> first(a, 10)).isInstanceOf(StoreUnavailableException.class);
        assertThat(registered("bob")).isTrue();
        clock.advance(Duration.ofSeconds(1));
        a.fanout().drain();
        assertThat(registered("bob")).isFalse();
    }

    private boolean registered(String author) {
        return memory.outbox()
                .pulled()
                .update(Optional.empty(), List.of(author), 100)
                .entries()
                .getOrDefault(author, Optional.empty())
                .isPresent();
    }
}
