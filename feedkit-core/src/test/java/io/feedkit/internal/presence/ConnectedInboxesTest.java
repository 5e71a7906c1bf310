package io.feedkit.internal.presence;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.ManualClock;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.ProbedPresence;
import io.feedkit.ProbedStore;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.presence.Connection;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Connected readers")
@Timeout(60)
class ConnectedInboxesTest {

    private static final Duration LIVE = Duration.ofHours(8);

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final List<String> delivered = new ArrayList<>();

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .liveWindow(LIVE)
                .listener(new FeedListener() {
                    @Override
                    public void delivered(PostDelivered event) {
                        event.readers()
                                .forEach(reader -> delivered.add(event.post().id() + " " + reader));
                    }
                });
    }

    private static State inbox(FeedStore store, String reader, Duration window) {
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false);
        return store.inbox(new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, window.toMillis()))
                .slice(List.of(query))
                .get(0)
                .state();
    }

    private static void renew(FeedEngine engine) {
        ((EnginePresence) engine.presence()).renewInboxes();
    }

    private static List<String> read(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    @Test
    @DisplayName("have inboxes that are compared with the outboxes at their maximum age, although they read nothing")
    void compared() {
        Duration longest = Duration.ofHours(6);
        try (FeedEngine engine = builder()
                .reading(reading ->
                        reading.reconcileInterval(Duration.ofHours(1)).maxInboxAge(longest))
                .build()) {
            engine.follow("ann", "bob");
            read(engine, "ann");
            Post post = engine.publish("bob", "p1").post();
            engine.fanout().drain();
            Connection connection = engine.presence().connect("ann");
            renew(engine);
            Inbox inbox = store.inbox(new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, LIVE.toMillis()));
            inbox.retract(List.of(new Inbox.Retraction(post, List.of("ann"))));
            clock.advance(longest.minusMinutes(1));
            renew(engine);
            assertThat(posts(inbox)).isEmpty();
            clock.advance(Duration.ofHours(3));
            renew(engine);
            assertThat(posts(inbox)).containsExactly(post);
            connection.close();
        }
    }

    private static List<Post> posts(Inbox inbox) {
        SliceQuery query = new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 10, false);
        return inbox.slice(List.of(query)).get(0).posts();
    }

    @Test
    @DisplayName("keep their inboxes live without reading, others do not; a renewal opens no inbox")
    void stayLive() {
        try (FeedEngine engine = builder().build()) {
            for (String reader : List.of("ann", "zoe")) {
                engine.follow(reader, "bob");
                engine.read(reader, PageRequest.first(1));
            }
            engine.presence().connect("ann");
            engine.presence().connect("new");
            for (int i = 0; i < 48; i++) {
                clock.advance(Duration.ofMinutes(30));
                renew(engine);
            }
            assertThat(inbox(store, "ann", LIVE)).isEqualTo(State.LIVE);
            assertThat(inbox(store, "zoe", LIVE)).isEqualTo(State.ABSENT);
            assertThat(inbox(store, "new", LIVE)).isEqualTo(State.ABSENT);
        }
    }

    @Test
    @DisplayName("are renewed together, when they connect and then once in a quarter of the window")
    void cost() {
        try (FeedEngine engine = builder().build()) {
            for (int i = 0; i < 400; i++) {
                engine.presence().connect("r" + i);
            }
            int before = store.calls("Inbox.slice");
            renew(engine);
            assertThat(store.calls("Inbox.slice") - before).isEqualTo(1);
            renew(engine);
            assertThat(store.calls("Inbox.slice") - before).isEqualTo(1);
            for (int i = 0; i < 24; i++) {
                clock.advance(Duration.ofHours(1));
                renew(engine);
            }
            assertThat(store.calls("Inbox.slice") - before)
                    .as("calls in a day, of which each quarter of three hours has one")
                    .isBetween(24, 33);
            engine.presence().connect("late");
            renew(engine);
        }
    }

    @Test
    @DisplayName("get what is pushed to online followers, without reading; who is away gets it from the outboxes")
    void onlinePushes() {
        try (FeedEngine engine =
                builder().policy(FanoutPolicy.online(FanoutPolicy.push())).build()) {
            for (String reader : List.of("ann", "zoe")) {
                engine.follow(reader, "bob");
                engine.read(reader, PageRequest.first(1));
            }
            Connection connection = engine.presence().connect("ann");
            clock.advance(Duration.ofHours(2));
            renew(engine);
            engine.publish("bob", "p1");
            engine.fanout().drain();
            assertThat(delivered).containsExactlyInAnyOrder("p1 ann", "p1 zoe");
            clock.advance(Duration.ofHours(2));
            renew(engine);
            engine.publish("bob", "p2");
            engine.fanout().drain();
            assertThat(delivered).contains("p2 ann").doesNotContain("p2 zoe");
            assertThat(inbox(store, "zoe", LIVE)).isEqualTo(State.LIVE);
            assertThat(read(engine, "zoe")).containsExactly("p2", "p1");
            engine.publish("bob", "p3");
            engine.fanout().drain();
            assertThat(delivered).contains("p3 ann", "p3 zoe");
            connection.close();
            clock.advance(Duration.ofHours(3).plusMillis(1));
            engine.publish("bob", "p4");
            engine.fanout().drain();
            assertThat(delivered).noneMatch(each -> each.startsWith("p4"));
            for (String reader : List.of("ann", "zoe")) {
                assertThat(read(engine, reader)).containsExactly("p4", "p3", "p2", "p1");
            }
        }
    }

    @Test
    @DisplayName("are active for as long as the online window that the host sets, unless it sets an active window")
    void activeWindow() {
        for (boolean own : new boolean[] {false, true}) {
            delivered.clear();
            FeedEngineBuilder builder = builder()
                    .policy(FanoutPolicy.online(FanoutPolicy.push()))
                    .presence(presence -> presence.onlineWindow(Duration.ofMinutes(10)));
            if (own) {
                builder.fanout(fanout -> fanout.activeWindow(Duration.ofHours(1)));
            }
            try (FeedEngine engine = builder.build()) {
                engine.follow("ann", "bob");
                engine.read("ann", PageRequest.first(1));
                clock.advance(Duration.ofMinutes(11));
                engine.publish("bob", "own-" + own);
                engine.fanout().drain();
                assertThat(delivered).hasSize(own ? 1 : 0);
            }
        }
    }

    @Test
    @DisplayName("keep their inboxes live by a thread of the engine, also while the presence store hangs")
    void thread() {
        InMemoryFeedStore now = InMemoryFeedStore.create();
        ProbedPresence hanging = new ProbedPresence(InMemoryPresenceStore.create());
        hanging.hang();
        Duration window = Duration.ofSeconds(2);
        try (FeedEngine engine = FeedEngine.builder(now)
                .presence(hanging)
                .presence(presence -> presence.interval(Duration.ofSeconds(1)))
                .liveWindow(window)
                .build()) {
            engine.follow("ann", "bob");
            engine.presence().connect("ann");
            engine.read("ann", PageRequest.first(1));
            await().during(5, SECONDS).atMost(20, SECONDS).until(() -> inbox(now, "ann", window) == State.LIVE);
            hanging.answer();
        }
    }

    @Test
    @DisplayName("lose nothing while the inbox store is down; renewals continue when it is back")
    void inboxStoreDown() {
        try (FeedEngine engine = builder().build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(1));
            engine.presence().connect("ann");
            renew(engine);
            clock.advance(Duration.ofHours(2));
            store.fail("Inbox.slice");
            renew(engine);
            store.heal();
            renew(engine);
            clock.advance(Duration.ofHours(7));
            assertThat(inbox(store, "ann", LIVE)).isEqualTo(State.LIVE);
        }
    }

    @Test
    @DisplayName("keep their inboxes live although the engine's clock was set back")
    void clockSetBack() {
        ManualClock own = new ManualClock();
        own.advance(Duration.ofDays(1));
        try (FeedEngine engine =
                FeedEngine.builder(store).clock(own).workers(0).liveWindow(LIVE).build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(1));
            engine.presence().connect("ann");
            renew(engine);
            own.set(ManualClock.START);
            for (int i = 0; i < 20; i++) {
                own.advance(Duration.ofMinutes(30));
                clock.advance(Duration.ofMinutes(30));
                renew(engine);
            }
            assertThat(inbox(store, "ann", LIVE)).isEqualTo(State.LIVE);
        }
    }
}
