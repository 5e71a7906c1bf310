package io.feedkit.counter;

import io.feedkit.spi.Ids;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterStore.Owner;
import io.feedkit.spi.counter.CounterStore.Space;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.util.List;

/** All numbers that belong to a user, whatever their kind. */
public final class UserNumbers {

    private UserNumbers() {}

    /**
     * Forgets a user: typed counters, memberships of conversations, what was seen of announcements and dots, dots that
     * were lit for this user alone, reactions of all kinds (the counts of the posts fall), and which views counted
     * (their counts stay). What the user does meanwhile may stay. Plain counters are the host's, who knows which are a
     * user's; ids of operations are remembered until they are over. Idempotent; a call that failed is repeated.
     *
     * @param store where the numbers are
     * @param user who
     * @throws IllegalArgumentException if the user is no id
     */
    public static void forget(CounterStore store, String user) {
        Ids.require("user", user);
        UnreadCounter.of(store).forget(List.of(user));
        Conversations.of(store).forget(user);
        Announcements.of(store).forget(user);
        RedDots.of(store).forget(user);
        Reactions.forgetAll(store, user);
        store.forget(List.of(new Owner(Space.VIEWS, user)));
    }
}
