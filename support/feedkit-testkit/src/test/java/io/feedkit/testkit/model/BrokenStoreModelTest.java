package io.feedkit.testkit.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BrokenStoreModelTest {

    @Test
    @DisplayName("A store that forgets to purge is caught, and the failure names its seed and the shortest run")
    void forgetsToPurge() {
        assertCaught(inbox -> new ForwardingInbox() {
            @Override
            public Inbox delegate() {
                return inbox;
            }

            @Override
            public boolean purge(String reader, Collection<String> authors, long token) {
                return true;
            }
        });
    }

    @Test
    @DisplayName("A store that merges without raising the floor is caught")
    void mergesWithoutFloor() {
        assertCaught(inbox -> new ForwardingInbox() {
            @Override
            public Inbox delegate() {
                return inbox;
            }

            @Override
            public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
                return inbox.merge(reader, generation, posts, Position.LOWEST);
            }
        });
    }

    private static void assertCaught(UnaryOperator<Inbox> breaking) {
        FeedStoreModelKit kit = new FeedStoreModelKit() {
            @Override
            protected FeedStore emptyStore(SettableClock clock) {
                FeedStore store = InMemoryFeedStore.create(clock);
                return new ForwardingFeedStore() {
                    @Override
                    public FeedStore delegate() {
                        return store;
                    }

                    @Override
                    public Inbox inbox(InboxLimits limits) {
                        return breaking.apply(store.inbox(limits));
                    }
                };
            }

            @Override
            protected long firstSeed() {
                return 1;
            }

            @Override
            protected int seeds() {
                return 1000;
            }
        };
        assertThatThrownBy(kit::everyFeedIsTheOracles)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ")
                .hasMessageContaining("the shortest failing run has ");
    }
}
