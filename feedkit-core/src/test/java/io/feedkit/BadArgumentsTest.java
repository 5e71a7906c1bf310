package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.cards.CardField;
import io.feedkit.cards.PageAssembly;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.rank.RankContext;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.Rankers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Bad arguments are refused by name and value, before anything is written")
class BadArgumentsTest {

    private static final String[] USERS = {"ann", "bob", "cat"};
    private static final PageAssembly CARDS = PageAssembly.of(CardField.content(posts -> Map.of()));

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final FeedEngine engine =
            FeedEngine.builder(store).clock(clock).workers(0).build();
    private StoreDump before;

    @BeforeEach
    void fill() {
        engine.follow("ann", "bob");
        engine.publish("bob", "p1");
        engine.read("ann", PageRequest.first(10));
        engine.publish("bob", "p2");
        engine.usePolicy(FanoutPolicy.pull());
        engine.publish("cat", "p3");
        engine.usePolicy(FanoutPolicy.push());
        before = StoreDump.of(store, USERS);
    }

    @AfterEach
    void nothingWritten() {
        assertThat(StoreDump.of(store, USERS)).isEqualTo(before);
        engine.close();
    }

    /** Every place where an id is handed over, and the argument's name. */
    private static Map<String, BiConsumer<FeedEngine, String>> places() {
        Map<String, BiConsumer<FeedEngine, String>> places = new LinkedHashMap<>();
        places.put("publish author", (engine, id) -> engine.publish(id, "p"));
        places.put("publish id", (engine, id) -> engine.publish("bob", id));
        places.put("Post author", (engine, id) -> engine.publish(new Post(id, "p", ManualClock.START)));
        places.put("Post id", (engine, id) -> engine.publish(new Post("bob", id, ManualClock.START)));
        places.put("delete author", (engine, id) -> engine.delete(id, "p"));
        places.put("delete id", (engine, id) -> engine.delete("bob", id));
        places.put("PostKey author", (engine, id) -> engine.deleteAll(List.of(new PostKey(id, "p"))));
        places.put("PostKey id", (engine, id) -> engine.deleteAll(List.of(new PostKey("bob", id))));
        places.put("read reader", (engine, id) -> engine.read(id, PageRequest.first(1)));
        places.put("hydrating read reader", (engine, id) -> engine.read(id, PageRequest.first(1), posts -> Map.of()));
        places.put("ranked reader", (engine, id) -> engine.ranked(id, RankRequest.top(1, 1), Rankers.newest()));
        places.put(
                "hydrating ranked reader",
                (engine, id) -> engine.ranked(id, RankRequest.top(1, 1), Rankers.newest(), posts -> Map.of()));
        places.put("RankContext reader", (engine, id) -> new RankContext(id, ManualClock.START));
        places.put("readAuthor author", (engine, id) -> engine.readAuthor(id, PageRequest.first(1)));
        places.put("cards reader", (engine, id) -> engine.read(id, PageRequest.first(1), CARDS));
        places.put(
                "cards of an author reader", (engine, id) -> engine.readAuthor("bob", PageRequest.first(1), id, CARDS));
        places.put("unread reader", FeedEngine::unread);
        places.put("markSeen reader", (engine, id) -> engine.markSeen(id, Cursor.parse(cursor())));
        places.put("follow reader", (engine, id) -> engine.follow(id, "bob"));
        places.put("follow author", (engine, id) -> engine.follow("ann", id));
        places.put("unfollow reader", (engine, id) -> engine.unfollow(id, "bob"));
        places.put("unfollow author", (engine, id) -> engine.unfollow("ann", id));
        places.put("isFollowing reader", (engine, id) -> engine.isFollowing(id, "bob"));
        places.put("isFollowing author", (engine, id) -> engine.isFollowing("ann", id));
        places.put("followAll reader", (engine, id) -> engine.followAll(id, List.of("bob")));
        places.put("followAll authors[1]", (engine, id) -> engine.followAll("ann", Arrays.asList("bob", id)));
        places.put("unfollowAll reader", (engine, id) -> engine.unfollowAll(id, List.of("bob")));
        places.put("unfollowAll authors[1]", (engine, id) -> engine.unfollowAll("ann", Arrays.asList("bob", id)));
        places.put("followers author", (engine, id) -> engine.followers(id, 1));
        places.put("following followers author", (engine, id) -> engine.followers(id, "ann", 1));
        places.put("followers after", (engine, id) -> engine.followers("bob", id, 1));
        places.put("followees reader", (engine, id) -> engine.followees(id, 1));
        places.put("following followees reader", (engine, id) -> engine.followees(id, "bob", 1));
        places.put("followees after", (engine, id) -> engine.followees("ann", id, 1));
        places.put("followCounts user", FeedEngine::followCounts);
        places.put("refresh reader", FeedEngine::refresh);
        places.put("rebuild reader", FeedEngine::rebuild);
        places.put("inspect reader", FeedEngine::inspect);
        places.put("explain reader", (engine, reader) -> engine.explain(reader, new PostKey("bob", "p1")));
        places.put("forget user", FeedEngine::forget);
        return places;
    }

    private static Map<String, BiConsumer<FeedEngine, String>> keysetPlaces() {
        Map<String, BiConsumer<FeedEngine, String>> places = new LinkedHashMap<>();
        places.put("deadLetters after", (engine, id) -> engine.fanout().deadLetters(id, 1));
        places.put("replay ids", (engine, id) -> engine.fanout().replay(Arrays.asList("1", id)));
        places.put("discard ids", (engine, id) -> engine.fanout().discard(Arrays.asList("1", id)));
        return places;
    }

    private record BadId(String what, String id, String inMessage) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static List<BadId> badIds() {
        List<BadId> ids = new ArrayList<>();
        ids.add(new BadId("null", null, "must not be null"));
        ids.add(new BadId("empty", "", "must not be empty"));
        ids.add(new BadId("65 characters", "x".repeat(65), "has 65: \"" + "x".repeat(64) + "...\""));
        ids.add(new BadId("a million characters", "x".repeat(1_000_000), "has 1000000: \"" + "x".repeat(64) + "...\""));
        ids.add(new BadId("a control character", "a\u0000b", "U+0000: \"a\\u0000b\""));
        ids.add(new BadId("a line feed", "a\n", "U+000A: \"a\\u000A\""));
        ids.add(new BadId("a space", "a b", "U+0020: \"a b\""));
        ids.add(new BadId("delete", "\u007f", "U+007F: \"\\u007F\""));
        ids.add(new BadId("a non-ASCII letter", "zo\u00eb", "U+00EB: \"zo\\u00EB\""));
        ids.add(new BadId("an emoji", "\ud83d\ude00", "U+D83D: \"\\uD83D\\uDE00\""));
        return ids;
    }

    static Stream<Arguments> badIdsEverywhere() {
        Map<String, BiConsumer<FeedEngine, String>> all = places();
        Stream<Arguments> keysets = keysetPlaces().entrySet().stream()
                .flatMap(place -> badIds().stream()
                        .filter(bad -> !bad.what().equals("empty"))
                        .map(bad -> Arguments.of(place.getKey(), bad, place.getValue())));
        return Stream.concat(
                all.entrySet().stream()
                        .flatMap(place ->
                                badIds().stream().map(bad -> Arguments.of(place.getKey(), bad, place.getValue()))),
                keysets);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("badIdsEverywhere")
    @DisplayName("an id that is not 1 to 64 visible ASCII characters")
    void badId(String place, BadId bad, BiConsumer<FeedEngine, String> call) {
        String argument = place.substring(place.lastIndexOf(' ') + 1);
        assertThatThrownBy(() -> call.accept(engine, bad.id()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(argument)
                .hasMessageContaining(bad.inMessage())
                .message()
                .hasSizeLessThan(400);
    }

    static Stream<Arguments> nulls() {
        Map<String, BiConsumer<FeedEngine, String>> nulls = new LinkedHashMap<>();
        nulls.put("post", (engine, none) -> engine.publish((Post) null));
        nulls.put("posts", (engine, none) -> engine.publishAll(null));
        nulls.put("posts[1]", (engine, none) -> engine.publishAll(Arrays.asList(post("p9"), null)));
        nulls.put("posts", (engine, none) -> engine.importPosts(null));
        nulls.put("posts[1] ", (engine, none) -> engine.importPosts(Arrays.asList(post("p9"), null)));
        nulls.put("posts ", (engine, none) -> engine.deleteAll(null));
        nulls.put("posts[1]  ", (engine, none) -> engine.deleteAll(Arrays.asList(new PostKey("bob", "p1"), null)));
        nulls.put("post ", (engine, none) -> engine.publish((Post) null, (PublishTransaction) null));
        nulls.put("transaction", (engine, none) -> engine.publish(post("p9"), null));
        nulls.put("request", (engine, none) -> engine.read("ann", null));
        nulls.put("request ", (engine, none) -> engine.read("ann", null, posts -> Map.of()));
        nulls.put("request  ", (engine, none) -> engine.readAuthor("bob", null));
        nulls.put("loader", (engine, none) -> engine.read("ann", PageRequest.first(1), (PostLoader<?>) null));
        nulls.put("cards", (engine, none) -> engine.read("ann", PageRequest.first(1), (PageAssembly) null));
        nulls.put("cards ", (engine, none) -> engine.readAuthor("bob", PageRequest.first(1), "ann", null));
        nulls.put("upTo", (engine, none) -> engine.markSeen("ann", null));
        nulls.put("policy", (engine, none) -> engine.usePolicy(null));
        nulls.put("ids", (engine, none) -> engine.fanout().replay(null));
        nulls.put("ids ", (engine, none) -> engine.fanout().discard(null));
        nulls.put("finishedWithin", (engine, none) -> engine.fanout().replayFinished(null));
        nulls.put("publishedAt", (engine, none) -> engine.publish(new Post("bob", "p9", null)));
        nulls.put("cursor", (engine, none) -> engine.read("ann", PageRequest.older(null, 1)));
        nulls.put("cursor ", (engine, none) -> engine.read("ann", PageRequest.newer(null, 1)));
        nulls.put("cursor  ", (engine, none) -> engine.read("ann", PageRequest.atOrOlder(null, 1)));
        nulls.put("cursor   ", (engine, none) -> engine.read("ann", PageRequest.atOrNewer(null, 1)));
        nulls.put("cursor    ", (engine, none) -> engine.markSeen("ann", Cursor.parse(null)));
        nulls.put("policy ", (engine, none) -> engine.usePolicy(FanoutPolicy.shedding(null, Duration.ofSeconds(1))));
        nulls.put(
                "maxBacklogAge", (engine, none) -> engine.usePolicy(FanoutPolicy.shedding(FanoutPolicy.push(), null)));
        return nulls.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nulls")
    @DisplayName("null")
    void nullArgument(String argument, BiConsumer<FeedEngine, String> call) {
        assertThatThrownBy(() -> call.accept(engine, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(argument.trim() + " must not be null");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1001, Integer.MAX_VALUE})
    @DisplayName("a page size out of range")
    void badLimit(int limit) {
        Cursor cursor = Cursor.parse(cursor());
        List<Runnable> calls = List.of(
                () -> PageRequest.first(limit),
                () -> PageRequest.older(cursor, limit),
                () -> PageRequest.newer(cursor, limit),
                () -> PageRequest.atOrOlder(cursor, limit),
                () -> PageRequest.atOrNewer(cursor, limit),
                () -> engine.followers("bob", limit),
                () -> engine.followees("ann", limit),
                () -> engine.followers("bob", "a", limit),
                () -> engine.followees("ann", "a", limit),
                () -> engine.fanout().deadLetters(limit));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("limit must be between 1 and 1000, but is " + limit));
    }

    @Test
    @DisplayName("a negative time to look back over finished tasks")
    void negativeReplay() {
        assertThatThrownBy(() -> engine.fanout().replayFinished(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("finishedWithin must not be negative, but is PT-0.001S");
    }

    @Test
    @DisplayName("but not an endless time to look back over finished tasks")
    void endlessReplay() {
        assertThat(engine.fanout().replayFinished(Duration.ofSeconds(Long.MAX_VALUE)))
                .isZero();
    }

    @Test
    @DisplayName("nor an empty batch, which does nothing")
    void emptyBatches() {
        assertThat(engine.publishAll(List.of())).isEmpty();
        assertThat(engine.importPosts(List.of())).isEmpty();
        assertThat(engine.deleteAll(List.of())).isEmpty();
        assertThat(engine.fanout().replay(List.of())).isZero();
        assertThat(engine.fanout().discard(List.of())).isZero();
    }

    static Stream<Arguments> badTimes() {
        Instant now = ManualClock.START;
        return Stream.of(
                Arguments.of(
                        "a millisecond beyond the skew",
                        now.plus(FeedEngineBuilder.DEFAULT_MAX_FUTURE_SKEW).plusMillis(1)),
                Arguments.of("a year ahead", now.plus(Duration.ofDays(365))),
                Arguments.of("the end of 9999", Post.LATEST));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badTimes")
    @DisplayName("a post too far in the future, which takes the whole batch along")
    void tooFarAhead(String what, Instant publishedAt) {
        Post ahead = new Post("bob", "ahead", publishedAt);
        List<Runnable> calls = List.of(
                () -> engine.publish(ahead),
                () -> engine.publishAll(List.of(post("p8"), ahead)),
                () -> engine.importPosts(List.of(post("p8"), ahead)),
                () -> engine.publish(ahead, store.begin()));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("publishedAt of ")
                        .hasMessageContaining("ahead")
                        .hasMessageEndingWith("but is " + publishedAt));
    }

    static Stream<Instant> impossibleTimes() {
        return Stream.of(
                Instant.MIN,
                Instant.parse("1969-12-31T23:59:59.999Z"),
                Post.EARLIEST.minusMillis(1),
                Post.LATEST.plusMillis(1),
                Instant.parse("+10000-01-01T00:00:00Z"),
                Instant.MAX);
    }

    @ParameterizedTest
    @MethodSource("impossibleTimes")
    @DisplayName("a post before 1970 or after 9999")
    void impossibleTime(Instant publishedAt) {
        assertThatThrownBy(() -> engine.publish(new Post("bob", "p9", publishedAt)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "publishedAt must be between 1970-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z, but is ");
    }

    @Test
    @DisplayName("the engine's own clock before 1970 or after 9999")
    void impossibleClock() {
        impossibleTimes().filter(time -> !time.equals(Instant.MAX)).forEach(time -> {
            clock.set(time);
            assertThatThrownBy(() -> engine.publish("bob", "p9"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("publishedAt must be between");
        });
        clock.set(ManualClock.START);
    }

    @Test
    @DisplayName("a transaction of another store")
    void foreignTransaction() {
        PublishTransaction foreign = InMemoryFeedStore.create(clock).begin();
        assertThatThrownBy(() -> engine.publish(post("p9"), foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "transaction must be one that this store began (InMemoryFeedStore.begin), but is another")
                .hasMessageContaining("InMemoryTransaction[OPEN");
        PublishTransaction strange = new StrangeTransaction();
        assertThatThrownBy(() -> engine.delete(new PostKey("bob", "p1"), strange))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(InMemoryFeedStore.begin), but is of type StrangeTransaction");
    }

    private static final class StrangeTransaction implements PublishTransaction {}

    @Test
    @DisplayName("a transaction, if the store's posts take part in none")
    void noTransactions() {
        Outbox plain = (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(),
                new Class<?>[] {Outbox.class},
                (proxy, method, arguments) -> method.invoke(store.outbox(), arguments));
        FeedStore without = FeedStore.of(plain, store::inbox, store.graph(), store.seenMarks());
        try (FeedEngine other = FeedEngine.builder(without).workers(0).build()) {
            assertThatThrownBy(() -> other.publish(post("p9"), store.begin()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("transaction must be of the store's own kind, but the outbox of this store")
                    .hasMessageEndingWith("publish and delete after the commit, or keep the posts in SQL");
        }
    }

    private static Post post(String id) {
        return new Post("bob", id, ManualClock.START);
    }

    private static String cursor() {
        return Cursor.at(Position.of(post("p1")), false).toString();
    }
}
