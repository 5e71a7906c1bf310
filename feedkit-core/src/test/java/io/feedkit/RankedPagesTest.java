package io.feedkit;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.rank.RankContext;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import io.feedkit.rank.Rankers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ranked pages")
class RankedPagesTest extends RankedFeed {

    @Test
    @DisplayName("show the candidates by their scores, whatever the size of the pages")
    void order() {
        List<Post> ranked = fill(30);
        for (int limit : List.of(1, 7, 10, 29, 30, 31, 1000)) {
            assertThat(walk(30, limit, pages -> {})).as("pages of %d", limit).isEqualTo(ranked);
        }
        assertThat(top(30, 30).next()).isEmpty();
        assertThat(top(30, 29).next()).isPresent();
        assertThat(after(top(30, 15), 15).next()).isEmpty();
        assertThat(after(top(30, 15), 14).next()).isPresent();
    }

    @Test
    @DisplayName("break ties in the order of the feed, and take scores of all sizes")
    void ties() {
        fill(8);
        List<Post> feed = engine.read("ann", PageRequest.first(10)).items();
        double[] scores = {0.0, -0.0, 1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1, -5, 0};
        RankedPage<Post> page =
                engine.ranked("ann", RankRequest.top(8, 8), (posts, context) -> Arrays.copyOf(scores, 8));
        assertThat(page.items())
                .isEqualTo(Stream.of(4, 2, 5, 0, 1, 7, 6, 3).map(feed::get).toList());
        assertThat(engine.ranked("ann", RankRequest.top(8, 8), Rankers.newest()).items())
                .isEqualTo(feed);
    }

    @Test
    @DisplayName("rank the newest posts only: an older one is not found, whatever its weight")
    void candidates() {
        List<Post> ranked = fill(30);
        List<Post> newest = engine.read("ann", PageRequest.first(10)).items();
        weights.put(post("bob", 0), 1e9);
        assertThat(walk(10, 3, pages -> {}))
                .isEqualTo(ranked.stream().filter(newest::contains).toList());
        assertThat(walk(30, 3, pages -> {}).get(0)).isEqualTo(post("bob", 0));
    }

    @Test
    @DisplayName("call the ranker once for a walk, with all candidates, newest first, the reader and the time")
    void oneBatch() {
        fill(30);
        List<Post> feed = engine.read("ann", PageRequest.first(25)).items();
        List<List<Post>> batches = new ArrayList<>();
        List<RankContext> contexts = new ArrayList<>();
        Ranker recording = (posts, context) -> {
            batches.add(posts);
            contexts.add(context);
            return new double[posts.size()];
        };
        RankedPage<Post> page = engine.ranked("ann", RankRequest.top(25, 10), recording);
        while (page.next().isPresent()) {
            page = engine.ranked("ann", RankRequest.after(page.next().get(), 10), recording);
        }
        assertThat(batches).containsExactly(feed);
        assertThat(contexts).containsExactly(new RankContext("ann", ManualClock.START));
        assertThat(engine.ranked("nobody", RankRequest.top(25, 10), recording))
                .isEqualTo(RankedPage.of(List.of(), Optional.empty(), Set.of()));
        assertThat(batches).hasSize(1);
    }

    @Test
    @DisplayName("keep their order while scores change, and leave out posts that are published meanwhile")
    void steady() {
        List<Post> ranked = fill(30);
        assertThat(walk(30, 7, pages -> {
                    weights.replaceAll((post, weight) -> -weight);
                    Post late = post("bob", 1000 + pages);
                    Post early = post("cat", 2000 + pages);
                    weights.put(late, 1e9);
                    engine.publishAll(List.of(late, early));
                    engine.fanout().drain();
                }))
                .isEqualTo(ranked);
        assertThat(top(1000, 1).items().get(0).id()).startsWith("p1");
    }

    @Test
    @DisplayName("leave out posts at once that are deleted, hidden or of an author not followed any more, and fill up")
    void dropped() {
        List<Post> ranked = fill(40);
        RankedPage<Post> page = top(40, 10);
        assertThat(page.items()).isEqualTo(ranked.subList(0, 10));
        Set<Post> gone = new HashSet<>();
        ranked.subList(8, 14).forEach(post -> {
            engine.delete(post.author(), post.id());
            gone.add(post);
        });
        hidden.addAll(ranked.subList(16, 18));
        gone.addAll(ranked.subList(16, 18));
        page = after(page, 10);
        List<Post> left = without(ranked.subList(10, 40), gone);
        assertThat(page.items()).isEqualTo(left.subList(0, 10));
        engine.unfollow("ann", "cat");
        List<Post> ofBob = left.subList(10, left.size()).stream()
                .filter(post -> post.author().equals("bob"))
                .toList();
        page = after(page, 3);
        assertThat(page.items()).isEqualTo(ofBob.subList(0, 3));
        page = after(page, 100);
        assertThat(page.items()).isEqualTo(ofBob.subList(3, ofBob.size()));
        assertThat(page.next()).isEmpty();
    }

    @Test
    @DisplayName("leave out what another engine deletes or unfollows, though this engine does not know of it yet")
    void droppedElsewhere() {
        List<Post> ranked = fill(20);
        FeedEngine other = open(builder());
        RankedPage<Post> page = top(20, 5);
        other.delete(ranked.get(6).author(), ranked.get(6).id());
        assertThat(after(page, 3).items()).containsExactly(ranked.get(5), ranked.get(7), ranked.get(8));
        other.unfollow("ann", "bob");
        assertThat(after(page, 20).items())
                .isNotEmpty()
                .allSatisfy(post -> assertThat(post.author()).isEqualTo("cat"));
        other.follow("ann", "bob");
        assertThat(after(page, 20).items()).isEqualTo(without(ranked.subList(5, 20), Set.of(ranked.get(6))));
    }

    @Test
    @DisplayName("end without a next cursor, even if all that is left of the walk is gone")
    void allGone() {
        List<Post> ranked = fill(30);
        RankedPage<Post> page = top(30, 10);
        ranked.subList(10, 30).forEach(post -> engine.delete(post.author(), post.id()));
        page = after(page, 5);
        assertThat(page.items()).isEmpty();
        assertThat(page.next()).isEmpty();
    }

    @Test
    @DisplayName("may be requested again: the same cursor gives the same page, also after later pages")
    void repeated() {
        fill(30);
        RankedPage<Post> first = top(30, 10);
        RankedPage<Post> second = after(first, 10);
        RankedPage<Post> third = after(second, 10);
        assertThat(after(first, 10)).isEqualTo(second);
        assertThat(after(second, 10)).isEqualTo(third);
        assertThat(after(first, 20).items())
                .isEqualTo(Stream.concat(second.items().stream(), third.items().stream())
                        .toList());
    }

    @Test
    @DisplayName("of two walks of a reader do not affect each other")
    void twoWalks() {
        List<Post> ranked = fill(30);
        RankedPage<Post> one = top(30, 5);
        weights.replaceAll((post, weight) -> -weight);
        RankedPage<Post> other = top(30, 5);
        List<Post> reversed = new ArrayList<>(ranked);
        Collections.reverse(reversed);
        List<Post> ofOne = new ArrayList<>(one.items());
        List<Post> ofOther = new ArrayList<>(other.items());
        while (one.next().isPresent()) {
            one = after(one, 5);
            other = after(other, 5);
            ofOne.addAll(one.items());
            ofOther.addAll(other.items());
        }
        assertThat(ofOne).isEqualTo(ranked);
        assertThat(ofOther).isEqualTo(reversed);
    }

    @Test
    @DisplayName("include own posts if they belong to the feed, whether or not the reader follows anybody")
    void ownPosts() {
        FeedEngine own = open(builder().ownPosts(true));
        List<Post> mine = IntStream.range(0, 10).mapToObj(n -> post("ann", n)).toList();
        own.publishAll(mine);
        own.fanout().drain();
        RankedPage<Post> page = own.ranked("ann", RankRequest.top(10, 4), Rankers.newest());
        List<Post> walked = new ArrayList<>(page.items());
        page = own.ranked("ann", RankRequest.after(page.next().orElseThrow(), 10), Rankers.newest());
        walked.addAll(page.items());
        Collections.reverse(walked);
        assertThat(walked).isEqualTo(mine);
    }

    private record Card(Post post) {}

    @Test
    @DisplayName("leave out posts without content, fill up, and load no more content than they need, newest first")
    void content() {
        List<Post> ranked = fill(40);
        Set<Post> gone = new HashSet<>(ranked.subList(3, 6));
        gone.addAll(ranked.subList(20, 25));
        List<List<Post>> loads = new ArrayList<>();
        PostLoader<Card> loader = posts -> {
            loads.add(posts);
            return posts.stream().filter(post -> !gone.contains(post)).collect(toMap(post -> post, Card::new));
        };
        RankedPage<Card> page = engine.ranked("ann", RankRequest.top(40, 10), byWeight, loader);
        List<Post> left = without(ranked, gone);
        List<Card> cards = new ArrayList<>(page.items());
        assertThat(cards).isEqualTo(left.subList(0, 10).stream().map(Card::new).toList());
        assertThat(loads.stream().mapToInt(List::size).sum()).isEqualTo(14);
        while (page.next().isPresent()) {
            page = engine.ranked("ann", RankRequest.after(page.next().get(), 10), byWeight, loader);
            cards.addAll(page.items());
        }
        assertThat(cards).isEqualTo(left.stream().map(Card::new).toList());
        assertThat(loads).allSatisfy(load -> {
            List<Post> newestFirst = new ArrayList<>(load);
            newestFirst.sort((a, b) -> b.publishedAt().compareTo(a.publishedAt()));
            assertThat(load).isEqualTo(newestFirst);
        });
    }

    @Test
    @DisplayName("with content respect a delete on another engine that returned before the first page")
    void deletedElsewhere() {
        List<Post> ranked = fill(20);
        FeedEngine other = open(builder());
        top(20, 5);
        other.delete(ranked.get(0).author(), ranked.get(0).id());
        RankedPage<Card> page = engine.ranked(
                "ann",
                RankRequest.top(20, 5),
                byWeight,
                posts -> posts.stream().collect(toMap(post -> post, Card::new)));
        assertThat(page.items())
                .isEqualTo(ranked.subList(1, 6).stream().map(Card::new).toList());
    }

    @Test
    @DisplayName("filter later pages in batches that are newest first")
    void filterBatches() {
        fill(30);
        List<List<Post>> batches = new ArrayList<>();
        FeedEngine filtered =
                open(FeedEngine.builder(store).clock(clock).workers(0).filter((reader, posts) -> {
                    batches.add(posts);
                    return posts;
                }));
        RankCursor cursor =
                filtered.ranked("ann", RankRequest.top(30, 5), byWeight).next().orElseThrow();
        batches.clear();
        filtered.ranked("ann", RankRequest.after(cursor, 10), byWeight);
        assertThat(batches).hasSize(1);
        List<Post> newestFirst = new ArrayList<>(batches.get(0));
        newestFirst.sort((a, b) -> b.publishedAt().compareTo(a.publishedAt()));
        assertThat(batches.get(0)).isEqualTo(newestFirst).hasSize(11);
    }

    /** An outbox over a table in which the host has moved a post to another time. */
    private Outbox moving(Post post, Instant time) {
        return (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, (self, method, arguments) -> {
                    if (method.getName().equals("holdsBack")) {
                        return true;
                    }
                    Object answer = method.invoke(memory.outbox(), arguments);
                    if (method.getName().equals("existing")) {
                        Map<PostKey, Post> moved = new HashMap<>();
                        ((Map<?, ?>) answer).values().forEach(each -> moved.put(((Post) each).key(), (Post) each));
                        moved.computeIfPresent(post.key(), (key, old) -> new Post(old.author(), old.id(), time));
                        return moved;
                    }
                    return answer;
                });
    }

    @Test
    @DisplayName("show posts with the times that they have now, and none that was moved into the future until then")
    void moved() {
        List<Post> ranked = fill(30);
        Instant time = ManualClock.START.plusSeconds(60);
        FeedStore parts = FeedStore.of(
                moving(ranked.get(6), time),
                memory::inbox,
                memory.graph(),
                memory.seenMarks(),
                memory.rankSnapshots().orElseThrow());
        FeedEngine ofTable = open(FeedEngine.builder(parts).clock(clock).workers(0));
        RankRequest next = RankRequest.after(
                ofTable.ranked("ann", RankRequest.top(30, 5), byWeight).next().orElseThrow(), 2);
        assertThat(ofTable.ranked("ann", next, byWeight).items()).containsExactly(ranked.get(5), ranked.get(7));
        clock.set(time);
        assertThat(ofTable.ranked("ann", next, byWeight).items())
                .containsExactly(
                        ranked.get(5),
                        new Post(ranked.get(6).author(), ranked.get(6).id(), time));
    }

    private int calls() {
        return Stream.of(
                        "RankSnapshots.save",
                        "RankSnapshots.load",
                        "Outbox.existing",
                        "Outbox.page",
                        "Outbox.newest",
                        "FollowGraph.followed",
                        "FollowGraph.followees",
                        "Inbox.slice",
                        "PulledRegister.update")
                .mapToInt(store::calls)
                .sum();
    }

    @Test
    @DisplayName(
            "take one read of the inbox and one save at first, then three calls each; a walk of one page saves none")
    void callsOfPages() {
        fill(600);
        top(500, 20);
        int before = calls();
        RankedPage<Post> page = top(500, 20);
        assertThat(calls() - before).isEqualTo(2);
        assertThat(store.calls("RankSnapshots.save")).isEqualTo(2);
        before = calls();
        page = after(page, 20);
        after(page, 20);
        assertThat(calls() - before).isEqualTo(6);
        assertThat(store.calls("RankSnapshots.load")).isEqualTo(2);
        assertThat(store.calls("FollowGraph.followed")).isEqualTo(2);
        before = calls();
        top(20, 20);
        assertThat(calls() - before).isEqualTo(1);
    }

    @Test
    @DisplayName("take few calls even if most of the walk is gone")
    void callsOfSparsePages() {
        List<Post> ranked = fill(1000);
        RankedPage<Post> page = top(1000, 10);
        hidden.addAll(ranked.subList(10, 995));
        int before = calls();
        assertThat(after(page, 10).items()).isEqualTo(ranked.subList(995, 1000));
        assertThat(calls() - before).isLessThanOrEqualTo(1 + 2 * 8);
    }
}
