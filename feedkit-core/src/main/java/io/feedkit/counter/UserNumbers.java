package io.feedkit.counter;

import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.util.List;

/** All numbers of a user, of every kind. */
public final class UserNumbers {

    private UserNumbers() {}

    /**
     * Forgets a user. This removes the user's typed counters, memberships of conversations, marks of announcements and
     * dots, and dots that were lit for this user alone. It takes back reactions of all kinds, so the counts of the
     * posts fall. It removes the user's views, but their counts stay. Data that the user adds meanwhile may stay. Plain
     * counters stay: only the host knows which of them belong to a user. The ids of operations stay until they expire.
     * Idempotent: repeat a call that failed.
     *
     * @param store where the numbers are
     * @param user the user
     * @throws IllegalArgumentException if the user's id is not legal
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
