package io.feedkit.survival.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import io.feedkit.survival.live.Client.Manner;
import io.feedkit.survival.live.Ledger.Bounds;
import io.feedkit.survival.live.Ledger.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The verdict on a client")
class VerdictTest {

    private static final Cursor CURSOR = Cursor.at(Instant.EPOCH);

    private final Ledger ledger = new Ledger();
    private final Verdict verdict = new Verdict(ledger, new Bounds(0, 0), System.nanoTime());
    private final Line engine = new Line();
    private Client client = client();

    /** An engine that sends the events that a test gives it. */
    private static final class Line implements LiveEngine {
        private Flow.Subscriber<LiveEvent> subscriber;

        @Override
        public String name() {
            return "one";
        }

        @Override
        public Post publish(String author, String id) {
            return Post.of(author, id, 1);
        }

        @Override
        public void delete(PostKey post) {}

        @Override
        public void change(String reader, String author, boolean following) {}

        @Override
        public Cursor newest(String reader) {
            return CURSOR;
        }

        @Override
        public void subscribe(String reader, Optional<Cursor> since, Flow.Subscriber<LiveEvent> given) {
            subscriber = given;
        }

        @Override
        public void close() {}
    }

    private static Client client() {
        return new Client("ann", Manner.EAGER, Optional.empty(), new Random(1), (engine, reader, post) -> {});
    }

    @BeforeEach
    void connect() {
        ledger.followed("ann", "bob");
        client.connect(engine);
    }

    private Entry publish(String author, String id) {
        Entry entry = ledger.publishing(new PostKey(author, id));
        entry.stored(engine.publish(author, id), "one");
        return entry;
    }

    private void delete(Entry entry) {
        entry.deleting().end("one");
    }

    private void follow(boolean following) {
        ledger.changing("ann", "bob", following).end("one");
    }

    private void send(LiveEvent event) {
        engine.subscriber.onNext(event);
    }

    private void sendPost(Entry entry) {
        send(new PostAdded(entry.stored().orElseThrow(), CURSOR));
    }

    private void assertMissing(String... parts) {
        assertSays(verdict.missing(client), parts);
        assertThat(verdict.surplus(client)).isEmpty();
    }

    private void assertSurplus(String... parts) {
        assertSays(verdict.surplus(client), parts);
    }

    private static void assertSays(List<String> found, String... parts) {
        assertThat(found).hasSize(parts.length);
        for (int i = 0; i < parts.length; i++) {
            assertThat(found.get(i)).contains(parts[i]);
        }
    }

    @Test
    @DisplayName("is good if every post arrived once")
    void good() {
        Entry first = publish("bob", "first");
        Entry gone = publish("bob", "gone");
        sendPost(first);
        sendPost(gone);
        delete(gone);
        send(new PostDeleted(gone.key(), CURSOR));
        follow(false);
        send(new FeedChanged(CURSOR));
        assertMissing();
        assertSurplus();
    }

    @Test
    @DisplayName("notices a missing post, until it arrives on any subscription")
    void missing() {
        Entry first = publish("bob", "first");
        assertMissing("lacks " + first.key());
        client.connect(engine);
        sendPost(first);
        assertMissing();
    }

    @Test
    @DisplayName("asks only for posts that were published after the client began, by followees")
    void notMissing() {
        publish("bob", "before");
        publish("cat", "not-followed");
        client = client();
        connect();
        assertMissing();
    }

    @Test
    @DisplayName("notices a post that comes twice, also after a reconnect")
    void twice() {
        Entry first = publish("bob", "first");
        sendPost(first);
        client.connect(engine);
        sendPost(first);
        assertSurplus("twice");
    }

    @Test
    @DisplayName("notices a post that comes after its delete, or after the unfollow of its author")
    void gone() {
        Entry deleted = publish("bob", "deleted");
        delete(deleted);
        sendPost(deleted);
        assertSurplus("was deleted");
        Entry unfollowed = publish("bob", "unfollowed");
        follow(false);
        sendPost(unfollowed);
        assertSurplus("was deleted", "not followed");
    }

    @Test
    @DisplayName("notices posts and deletes that nobody made")
    void unknown() {
        send(new PostAdded(Post.of("bob", "never", 1), CURSOR));
        send(new PostDeleted(new PostKey("bob", "also-never"), CURSOR));
        assertSurplus("never published", "nobody deleted");
    }

    @Test
    @DisplayName("notices a delete that was not reported, unless the client is told to catch up")
    void unreportedDelete() {
        Entry first = publish("bob", "first");
        sendPost(first);
        delete(first);
        assertMissing("was not told that");
        send(new CatchUp(CURSOR));
        assertMissing();
    }

    @Test
    @DisplayName("notices a change of the feed that was not reported, unless it was undone")
    void unreportedChange() {
        follow(false);
        assertMissing("was not told of a change");
        follow(true);
        assertMissing();
        follow(false);
        client.connect(engine);
        assertMissing();
    }

    @Test
    @DisplayName("notices a subscription that fails")
    void failure() {
        engine.subscriber.onError(new IllegalStateException("failure"));
        assertSurplus("the subscription failed");
    }
}
