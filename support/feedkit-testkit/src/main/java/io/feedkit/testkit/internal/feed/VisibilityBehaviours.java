package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.EPOCH;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.testkit.internal.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hidden posts: behaviours 12, 57, 58, 60 to 65 and 67. Only the host knows mutes, blocks, visibility, replies and
 * languages. The tests show that its filter applies to every feed in the same way, at once and in both directions.
 */
public abstract class VisibilityBehaviours extends FeedRules {

    /** The host's data: hidden pairs and posts. */
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
        assertThat(engine.unread(ANN).count()).isEqualTo(20);
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
        assertThat(feed(engine, DAN)).as("another reader's feed").isEqualTo(newestFirst(posts(BOB, 20)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("58: a mute hides posts at once, and its end shows them again, including posts from during the mute")
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
    @DisplayName("60, 61, 62, 63, 64: the host can hide single posts from single readers, for any reason")
    void singlePosts(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.addAll(List.of("ann/bob/p0020", "ann/bob/p0011", "ann/bob/p0001"));
        List<Post> seen = walk(engine, ANN, 6);
        assertThat(seen).hasSize(37).doesNotContain(post(BOB, 20), post(BOB, 11), post(BOB, 1));
        assertThat(feed(engine, DAN)).isEqualTo(newestFirst(posts(BOB, 20)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("65: a filter works the same on posts from the inbox, from outboxes above the floor and from below it")
    void everywhere(Policy policy) {
        FeedEngine engine = prepared(policy);
        hidden.add(ANN + "/" + BOB);
        List<Post> expected = newestFirst(posts(CAT, 20));
        assertThat(walk(engine, ANN, 3)).as("live inbox").isEqualTo(expected);
        assertThat(engine.read(ANN, PageRequest.first(30), FeedRules::content).items())
                .as("with content")
                .isEqualTo(expected);
        FeedEngine withoutInbox = open(builder(policy)
                .reading(reading -> reading.concurrentRebuilds(0))
                .filter(this::visible));
        kit.pass(FeedEngineBuilder.DEFAULT_LIVE_WINDOW.plusMillis(2));
        assertThat(walk(withoutInbox, ANN, 3)).as("no inbox").isEqualTo(expected);
        engine.rebuild(ANN);
        assertThat(walk(engine, ANN, 3)).as("new inbox").isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("67: a moderated post disappears from all feeds at once: temporarily by the filter, or for good by a"
            + " delete")
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

    /** An engine with few visible posts. Above and below each, in the same millisecond, are hidden posts. */
    private FeedEngine mostlyHidden() {
        FeedEngine engine = open(builder(Policy.PUSH)
                .cap(1000)
                .reading(reading -> reading.maxScannedPerPage(5))
                .filter((reader, posts) -> visible(reader, posts)));
        follow(engine, ANN, BOB, CAT, DAN);
        visit(engine, ANN);
        List<Post> all = new ArrayList<>();
        for (int n = 1; n <= 40; n++) {
            all.add(Post.of(CAT, "a" + n, EPOCH + n));
            all.add(Post.of(DAN, "b" + n, EPOCH + n));
            if (n % 10 == 0) {
                all.add(Post.of(BOB, "k" + n, EPOCH + n));
            }
            all.add(Post.of(CAT, "y" + n, EPOCH + n));
            all.add(Post.of(DAN, "z" + n, EPOCH + n));
        }
        publish(engine, all);
        hidden.add(ANN + "/" + CAT);
        return engine;
    }

    private static List<Post> ofBob() {
        return List.of(
                Post.of(BOB, "k40", EPOCH + 40),
                Post.of(BOB, "k30", EPOCH + 30),
                Post.of(BOB, "k20", EPOCH + 20),
                Post.of(BOB, "k10", EPOCH + 10));
    }

    /** Some posts have no content any more. */
    private static Map<Post, Post> withoutDan(List<Post> posts) {
        return posts.stream()
                .filter(post -> !post.author().equals(DAN))
                .collect(Collectors.toMap(post -> post, post -> post));
    }

    private static void assertNamesNothingHidden(Cursor cursor) {
        String told = new String(Base64.getUrlDecoder().decode(cursor.toString()), StandardCharsets.ISO_8859_1);
        assertThat(told).doesNotContain(CAT, DAN).doesNotContainPattern("[abyz][0-9]");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DisplayName(
            "a page that stops among hidden posts or posts without content gives a cursor that names none of them, and"
                    + " nothing is skipped or shown twice")
    void cursorsDownwards(int limit) {
        FeedEngine engine = mostlyHidden();
        List<Post> seen = new ArrayList<>();
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(limit), VisibilityBehaviours::withoutDan);
        int pages = 1;
        while (true) {
            seen.addAll(page.items());
            assertNamesNothingHidden(page.newer());
            if (page.older().isEmpty()) {
                break;
            }
            assertNamesNothingHidden(page.older().get());
            Cursor older = Cursor.parse(page.older().get().toString());
            page = engine.read(ANN, PageRequest.older(older, limit), VisibilityBehaviours::withoutDan);
            assertThat(++pages).isLessThan(200);
        }
        assertThat(seen).isEqualTo(ofBob());
        assertThat(pages).as("pages, some of which stopped early").isGreaterThan(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("the same upwards")
    void cursorsUpwards(int limit) {
        FeedEngine engine = mostlyHidden();
        List<Post> seen = new ArrayList<>();
        FeedPage<Post> page;
        Cursor next = Samples.bottom();
        int pages = 0;
        do {
            page = engine.read(ANN, PageRequest.newer(next, limit), VisibilityBehaviours::withoutDan);
            seen.addAll(reversed(page.items()));
            next = page.newer();
            assertNamesNothingHidden(next);
            assertThat(++pages).isLessThan(200);
        } while (page.moreNewer());
        assertThat(reversed(seen)).isEqualTo(ofBob());
        assertThat(pages).as("pages, some of which stopped early").isGreaterThan(4);
    }

    @Test
    @DisplayName("filter and loader get posts newest first, whatever the direction of the page")
    void batchesNewestFirst() {
        List<List<Post>> batches = new ArrayList<>();
        FeedEngine engine = open(builder(Policy.PUSH).filter((reader, posts) -> {
            batches.add(List.copyOf(posts));
            return posts;
        }));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 30));
        PostLoader<Post> loader = posts -> {
            batches.add(List.copyOf(posts));
            return content(posts);
        };
        assertThat(engine.read(ANN, PageRequest.newer(Samples.bottom(), 10), loader)
                        .items())
                .hasSize(10);
        assertThat(engine.read(ANN, PageRequest.first(10), loader).items()).hasSize(10);
        assertThat(batches)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(batch -> assertThat(batch).isEqualTo(newestFirst(batch)));
    }
}
