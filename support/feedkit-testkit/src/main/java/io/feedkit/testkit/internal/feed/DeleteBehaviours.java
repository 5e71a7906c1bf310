package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.internal.Samples;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deleting and editing: behaviours 41 to 48, and 67. */
public abstract class DeleteBehaviours extends FeedRules {

    protected DeleteBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB, CAT);
        follow(engine, DAN, BOB);
        visit(engine, ANN);
        visit(engine, DAN);
        publish(engine, posts(BOB, 5));
        publish(engine, posts(CAT, 5));
        return engine;
    }

    private static List<Post> without(List<Post> posts, Post... gone) {
        return newestFirst(
                posts.stream().filter(post -> !List.of(gone).contains(post)).toList());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "41: a delete removes the post from the outbox and all feeds, counts fall by one, and repeating it changes"
                    + " nothing")
    void delete(Policy policy) {
        FeedEngine engine = prepared(policy);
        assertThat(engine.unread(DAN).count()).isEqualTo(5);
        assertThat(engine.delete(BOB, "p0003")).isTrue();
        for (int i = 0; i < 2; i++) {
            assertThat(feed(engine, DAN)).isEqualTo(without(posts(BOB, 5), post(BOB, 3)));
            assertThat(feed(engine, ANN))
                    .hasSize(9)
                    .doesNotContain(post(BOB, 3))
                    .contains(post(CAT, 3));
            assertThat(engine.readAuthor(BOB, PageRequest.first(ALL)).items()).hasSize(4);
            assertThat(engine.unread(DAN).count()).isEqualTo(4);
            engine.fanout().drain();
        }
        assertThat(engine.delete(BOB, "p0003")).isFalse();
        assertThat(engine.fanout().drain()).isZero();
        assertThat(engine.unread(DAN).count()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("42: deleting an unknown post does not fail, says that it was unknown, and prevents a later publish")
    void deleteUnknown(Policy policy) {
        FeedEngine engine = prepared(policy);
        assertThat(engine.delete(BOB, "unknown")).isFalse();
        assertThat(engine.delete("stranger", "unknown")).isFalse();
        publish(engine, Post.of(BOB, "unknown", Samples.EPOCH + 50));
        assertThat(feed(engine, DAN)).isEqualTo(newestFirst(posts(BOB, 5)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("43: deleting several posts returns for each whether it was there")
    void deleteSeveral(Policy policy) {
        FeedEngine engine = prepared(policy);
        assertThat(engine.deleteAll(List.of(
                        new PostKey(BOB, "p0001"),
                        new PostKey(BOB, "unknown"),
                        new PostKey(CAT, "p0002"),
                        new PostKey(BOB, "p0001"))))
                .containsExactly(true, false, true, false);
        engine.fanout().drain();
        assertThat(feed(engine, DAN)).isEqualTo(without(posts(BOB, 5), post(BOB, 1)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("44: a post is deleted by author and id, whatever time the caller assumes")
    void byIdentity(Policy policy) {
        FeedEngine engine = prepared(policy);
        Post elsewhere = Post.of(BOB, "p0003", 1);
        assertThat(engine.deleteAll(List.of(elsewhere.key()))).containsExactly(true);
        engine.fanout().drain();
        assertThat(feed(engine, DAN)).isEqualTo(without(posts(BOB, 5), post(BOB, 3)));
        assertThat(feed(engine, ANN)).contains(post(CAT, 3));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "47: a deleted post is missing from the very next read of every follower, before any worker ran, on every"
                    + " engine")
    void nextRead(Policy policy) {
        FeedEngine engine = prepared(policy);
        FeedEngine other = engine(policy);
        assertThat(feed(other, ANN)).hasSize(10);
        engine.delete(BOB, "p0005");
        for (String reader : List.of(ANN, DAN)) {
            assertThat(feed(engine, reader)).doesNotContain(post(BOB, 5));
            assertThat(feed(other, reader)).doesNotContain(post(BOB, 5));
            assertThat(hydrated(other, reader)).doesNotContain(post(BOB, 5));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("48: an edit of a post's content shows in every feed, and neither moves nor duplicates the post")
    void edit(Policy policy) {
        FeedEngine engine = prepared(policy);
        Map<Post, String> texts = new HashMap<>(
                posts(BOB, 5).stream().collect(Collectors.toMap(post -> post, post -> "text of " + post.id())));
        PageRequest first = PageRequest.first(ALL);
        assertThat(engine.read(DAN, first, posts -> texts).items().get(2)).isEqualTo("text of p0003");
        texts.put(post(BOB, 3), "edited");
        FeedPage<String> page = engine.read(DAN, first, posts -> texts);
        assertThat(page.items()).hasSize(5);
        assertThat(page.items().get(2)).isEqualTo("edited");
        assertThat(engine.read(ANN, first, posts -> texts).items())
                .contains("edited")
                .hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("67: an account that is taken down disappears from all views at once, and leaves no edges")
    void takedown(Policy policy) {
        FeedEngine engine = prepared(policy);
        FeedEngine other = engine(policy);
        engine.markSeen(BOB, engine.readAuthor(BOB, PageRequest.first(1)).newer());
        follow(engine, BOB, CAT);
        engine.forget(BOB);
        assertThat(feed(other, DAN)).isEmpty();
        assertThat(feed(other, ANN)).isEqualTo(newestFirst(posts(CAT, 5)));
        assertThat(other.readAuthor(BOB, PageRequest.first(1)).items()).isEmpty();
        assertThat(other.followers(BOB, ALL).ids()).isEmpty();
        assertThat(other.followees(BOB, ALL).ids()).isEmpty();
        assertThat(feed(other, BOB)).isEmpty();
        engine.fanout().drain();
        assertThat(feed(other, DAN)).isEmpty();
        engine.forget(BOB);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 5)));
    }
}
