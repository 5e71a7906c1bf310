package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the host hides: behaviours 12, 57, 58, 60 to 65 and 67. Mutes, blocks, visibility, replies and languages are the host's knowledge; what is shown here is that its filter
 * reaches every feed alike, at once and in both directions.
 */
public abstract class VisibilityBehaviours extends FeedRules {

    /** What the host keeps: pairs and posts that are hidden. */
    private final Set<String> hidden = new HashSet<>();

    protected VisibilityBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private Collection<Post> visible(String reader, List<Post> posts) {
        return posts.stream()
                .filter(post -> !hidden.contains(reader + "/" + post.author())
                        && !hidden.contains(post.author() + "/" + reader)
                        && !hidden.contains(reader + "/" + post.author() + "/" + post.id())
                        && !hidden.contains(post.author()))
                .toList();
    }

    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = open(builder(policy).cap(10).filter(this::visible));
        follow(engine, ANN, BOB, CAT);
        follow(engine, DAN, BOB);
        follow(engine, ZOE, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 20));
        publish(engine, posts(CAT, 20));
        return engine;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("12: a suspended author's posts are not shown, and show again when the suspension ends")
    void suspended(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.add(BOB);
        publish(engine, post(BOB, 21));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 20)));
        assertThat(engine.unread(ANN)).isEqualTo(20);
        hidden.clear();
        assertThat(feed(engine, ANN)).hasSize(41);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("57: a block in either direction hides the author's posts")
    void block(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.add(ANN + "/" + BOB);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 20)));
        hidden.clear();
        hidden.add(BOB + "/" + ANN);
        assertThat(walk(engine, ANN, 7)).isEqualTo(newestFirst(posts(CAT, 20)));
        assertThat(feed(engine, DAN)).as("somebody else's feed").isEqualTo(newestFirst(posts(BOB, 20)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("58: a mute hides at once, and its end shows the posts again, those of the meantime too")
    void mute(Policy policy) {
        FeedEngine engine = prepared(policy);
        List<Post> before = feed(engine, ANN);
        hidden.add(ANN + "/" + BOB);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 20)));
        publish(engine, post(BOB, 21));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(CAT, 20)));
        hidden.clear();
        assertThat(feed(engine, ANN)).hasSize(41).startsWith(post(BOB, 21)).endsWith(before.get(39));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("60, 61, 62, 63, 64: the host can hide single posts from single readers, on whatever ground")
    void singlePosts(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.addAll(List.of("ann/bob/p0020", "ann/bob/p0011", "ann/bob/p0001"));
        List<Post> seen = walk(engine, ANN, 6);
        assertThat(seen).hasSize(37).doesNotContain(post(BOB, 20), post(BOB, 11), post(BOB, 1));
        assertThat(feed(engine, DAN)).isEqualTo(newestFirst(posts(BOB, 20)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "65: a filter works the same on what comes from the inbox, from outboxes above the floor and from below it")
    void everywhere(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.add(ANN + "/" + BOB);
        List<Post> expected = newestFirst(posts(CAT, 20));
        assertThat(walk(engine, ANN, 3)).as("live inbox").isEqualTo(expected);
        assertThat(engine.read(ANN, PageRequest.first(30), FeedRules::content).items())
                .as("with content")
                .isEqualTo(expected);
        FeedEngine withoutInbox = open(builder(policy).concurrentRebuilds(0).filter(this::visible));
        kit.pass(FeedEngineBuilder.DEFAULT_LIVE_WINDOW.plusMillis(2));
        assertThat(walk(withoutInbox, ANN, 3)).as("no inbox").isEqualTo(expected);
        engine.rebuild(ANN);
        assertThat(walk(engine, ANN, 3)).as("new inbox").isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "67: a moderated post disappears from all feeds at once, by the filter for a while, or by a delete for good")
    void moderation(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.addAll(List.of("ann/bob/p0015", "dan/bob/p0015"));
        assertThat(feed(engine, ANN)).hasSize(39);
        assertThat(feed(engine, DAN)).hasSize(19);
        hidden.clear();
        assertThat(feed(engine, DAN)).hasSize(20);
        engine.delete(BOB, "p0015");
        assertThat(feed(engine, ANN)).hasSize(39);
        assertThat(feed(engine, DAN)).hasSize(19);
    }
}
