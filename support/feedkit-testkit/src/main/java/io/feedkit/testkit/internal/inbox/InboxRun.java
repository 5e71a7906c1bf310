package io.feedkit.testkit.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Kit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs the same steps on a store's inbox and on the model. Compares each answer, and after each step the whole visible
 * state.
 */
final class InboxRun {

    private static final long NONE = Long.MAX_VALUE;

    private final Kit kit;
    private final InboxDriver store;
    private final InboxModel model;
    private final String reader;
    private final Map<String, Long> staleTokens = new HashMap<>();
    private long staleGeneration = NONE;
    private long staleEpoch = NONE;

    InboxRun(Kit kit, InboxDriver store, InboxModel model, String reader) {
        this.kit = kit;
        this.store = store;
        this.model = model;
        this.reader = reader;
    }

    void step(InboxStep step) {
        step.action().run(this);
        compareAll();
    }

    void deliver(List<Post> posts) {
        deliver(posts, 0, 0);
    }

    void deliver(List<Post> posts, long ago) {
        deliver(posts, kit.now() - ago, model.time - ago);
    }

    private void deliver(List<Post> posts, long storeSince, long modelSince) {
        List<List<Outcome>> expected = posts.stream()
                .map(post -> List.of(model.deliver(post, modelSince)))
                .toList();
        assertThat(store.inbox()
                        .deliver(posts.stream()
                                .map(post -> new Delivery(post, List.of(reader), storeSince))
                                .toList()))
                .as("outcomes")
                .isEqualTo(expected);
    }

    void merge(boolean stale, List<Post> posts, Position floor) {
        long generation = stale ? staleGeneration : model.generation;
        assertThat(store.inbox().merge(reader, generation, posts, floor))
                .as("answer to merge")
                .isEqualTo(model.merge(generation, posts, floor));
    }

    void open(boolean replace) {
        Opening opening = store.inbox().open(reader, InboxStep.LEASE.toMillis(), replace);
        assertThat(opening.status()).as("answer to open").isEqualTo(model.open(replace));
        if (opening.status() != Opening.Status.OPENED) {
            assertThat(opening.generation()).as("generation").isZero();
            return;
        }
        staleGeneration = model.state == State.ABSENT ? staleGeneration : model.generation;
        assertThat(model.isNewGeneration(opening.generation()))
                .as("generation %s is new", opening.generation())
                .isTrue();
        boolean mayHaveLostItsEpoch = model.epochIsOpen();
        model.opened(opening.generation());
        long epoch = store.epoch(reader);
        if (model.epoch == 0 || (mayHaveLostItsEpoch && epoch != model.epoch)) {
            newEpoch(epoch);
        }
    }

    void complete(boolean stale, long mark, long followees) {
        long generation = stale ? staleGeneration : model.generation;
        boolean moves = model.movesEpoch(generation, followees);
        assertThat(store.inbox().complete(reader, generation, mark, followees))
                .as("answer to complete")
                .isEqualTo(model.complete(generation, mark, followees));
        if (moves) {
            newEpoch(store.epoch(reader));
        }
    }

    void drop() {
        staleGeneration = model.state == State.ABSENT ? staleGeneration : model.generation;
        staleTokens.putAll(model.pendingFollows);
        store.inbox().drop(List.of(reader));
        model.drop();
    }

    void retract(Post post) {
        store.retract(reader, post);
        model.retract(post);
    }

    /** Purges with the token of the first author's pending follow, or with the epoch if there is none. */
    void purge(boolean stale, List<String> authors) {
        if (model.epochIsOpen()) {
            return;
        }
        long epoch = stale ? staleEpoch : model.epoch;
        long token = model.pendingFollows.getOrDefault(authors.get(0), epoch);
        assertThat(store.inbox().purge(reader, authors, token))
                .as("answer to purge")
                .isEqualTo(model.purge(authors, token));
    }

    void beginFollow(List<String> authors) {
        noteStale(authors);
        long token = store.inbox().beginFollow(reader, authors);
        newEpoch(token);
        authors.forEach(author -> model.pendingFollows.put(author, token));
    }

    private void noteStale(List<String> authors) {
        for (String author : authors) {
            Long token = model.pendingFollows.get(author);
            if (token != null) {
                staleTokens.put(author, token);
            }
        }
    }

    /** Ends follows with the token of the first author's pending follow. */
    void endFollow(boolean stale, List<String> authors, long toggled) {
        Map<String, Long> tokens = stale ? staleTokens : model.pendingFollows;
        long token = tokens.getOrDefault(authors.get(0), NONE);
        noteStale(authors);
        Set<String> refused = store.inbox().endFollow(reader, authors, token, toggled);
        assertThat(refused).as("answer to endFollow").isEqualTo(model.endFollow(authors, token, toggled));
        if (refused.size() < authors.size()) {
            epochMoved();
        }
    }

    void read(PositionRange range, Order order, int limit, boolean renew) {
        List<Slice> slices = store.inbox().slice(List.of(new SliceQuery(reader, range, order, limit, renew)));
        assertThat(slices.get(0).posts()).as("posts read").isEqualTo(model.read(range, order, limit));
        PositionRange above = PositionRange.from(range.from().next());
        assertThat(store.count(reader, range.from(), limit).above())
                .as("posts counted")
                .isEqualTo(model.read(above, order, limit).size());
        if (renew) {
            model.visit();
        }
    }

    void pass(long millis) {
        if (model.mayPass(millis)) {
            kit.pass(Duration.ofMillis(millis));
            staleGeneration = model.state == State.LIVE ? model.generation : staleGeneration;
            model.pass(millis);
        }
    }

    private void newEpoch(long epoch) {
        assertThat(model.isNewEpoch(epoch)).as("epoch %s is new", epoch).isTrue();
        staleEpoch = model.epoch == 0 ? staleEpoch : model.epoch;
        model.epoch = epoch;
    }

    /** Checks the epoch after a follow has ended. Without an inbox and pending follows, the epoch may be gone. */
    private void epochMoved() {
        long epoch = store.epoch(reader);
        if (model.epochIsOpen() && epoch == 0) {
            model.epoch = 0;
        } else {
            newEpoch(epoch);
        }
    }

    private void compareAll() {
        Slice slice = store.slice(reader);
        assertThat(slice.state()).as("state").isEqualTo(model.state);
        assertThat(slice.generation()).as("generation").isEqualTo(model.generation);
        assertThat(slice.mark()).as("mark").isEqualTo(model.state == State.LIVE ? model.mark : 0);
        assertThat(slice.followees()).as("followees").isEqualTo(model.state == State.LIVE ? model.followees : 0);
        assertThat(slice.floor()).as("floor").isEqualTo(model.presentedFloor());
        assertThat(slice.posts()).as("posts").isEqualTo(model.read(PositionRange.ALL, Order.NEWEST_FIRST, 1000));
        assertThat(slice.pending()).as("pending").isEqualTo(model.pendingFollows.keySet());
        if (!model.epochIsOpen()) {
            assertThat(slice.epoch()).as("epoch").isEqualTo(model.epoch);
        } else if (slice.epoch() != model.epoch) {
            if (slice.epoch() == 0) {
                model.epoch = 0;
            } else {
                newEpoch(slice.epoch());
            }
        }
    }
}
