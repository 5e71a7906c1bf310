package io.feedkit.unread;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Standing;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Raised;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Numbers the messages of conversations, and counts the unread messages of each member. Thread-safe.
 *
 * <p>Messages are numbered from 1 without gaps. A new member has read everything so far. A sender has read up to the
 * own message. Former members have no unread messages. Removed messages do not count. A conversation needs no creation:
 * it begins with its first member. Conversations and users are ids as {@link io.feedkit.Post} allows. Illegal arguments
 * cause an {@link IllegalArgumentException} before anything is changed. A call that fails after it changed something
 * throws an {@link io.feedkit.OutcomeUnknownException}. Repeating the call finishes it, except for {@link #add}.
 *
 * @since 0.1.0
 */
public final class Conversations {

    /** The highest number that a conversation can be loaded with. */
    public static final long MAX_LOADED = 1L << 62;

    /** The operation id of a load. */
    private static final String LOADED = "loaded";

    private final CounterStore store;

    private Conversations(CounterStore store) {
        this.store = Arguments.nonNull("store", store);
    }

    /**
     * Conversations on a store.
     *
     * @param store where the numbers are kept
     * @return the conversations
     */
    public static Conversations of(CounterStore store) {
        return new Conversations(store);
    }

    private static Owner conversation(String id) {
        return new Owner(Space.CONVERSATION, Ids.require("conversation", id));
    }

    private static Owner joined(String user) {
        return new Owner(Space.CONVERSATIONS, Ids.require("user", user));
    }

    private static CellKey numbers(String conversation) {
        return new CellKey(conversation(conversation), "");
    }

    private static CellKey mark(String conversation, String user) {
        return new CellKey(conversation(conversation), Ids.require("user", user));
    }

    /**
     * Makes a user a member who has read everything so far. For a user who is a member already, nothing changes.
     * Idempotent.
     *
     * @param conversation the conversation
     * @param user the user who joins
     */
    public void join(String conversation, String user) {
        CellKey mark = mark(conversation, user);
        // The membership is also recorded in the user's set.
        List<Put> membership = List.of(membership(conversation, user));
        SeveralSteps.run("conversations.join", store, steps -> {
            steps.put(membership);
            steps.raise(List.of(new Raise(mark, Long.MAX_VALUE, 0, Optional.of(""), When.ABSENT)));
            // A concurrent call that ends the membership may have removed the record.
            steps.put(membership);
        });
    }

    private static Put membership(String conversation, String user) {
        return new Put(joined(user), conversation, "", OptionalLong.of(0), Replaced.NONE);
    }

    /**
     * A conversation to load, with the numbers that it had elsewhere.
     *
     * @param conversation the conversation
     * @param last the number of its last message, 0 to {@link #MAX_LOADED}
     * @param read how far each member has read, at least 0
     */
    public record Loaded(String conversation, long last, Map<String, Long> read) {
        /** Copies the map. */
        public Loaded {
            Arguments.nonNull("conversation", conversation);
            Arguments.between("last", last, 0, MAX_LOADED);
            Arguments.nonNull("read", read).forEach((user, number) -> {
                String name = "read of " + Ids.printable(Arguments.nonNull("user", user));
                Arguments.between(name, Arguments.nonNull(name, number), 0, Long.MAX_VALUE);
            });
            read = Map.copyOf(read);
        }
    }

    /**
     * Loads conversations with the numbers that they had elsewhere, before they are used here. A conversation that has
     * messages keeps its numbers, and users who are members already keep their marks. So a failed call may be repeated,
     * within a day. A number read beyond the last message counts as the last. The call makes four calls to the store
     * for up to a thousand members.
     *
     * @param loaded the conversations
     */
    public void load(Collection<Loaded> loaded) {
        List<CellKey> numbers = Arguments.nonNull("loaded", loaded).stream()
                .map(each ->
                        numbers(Arguments.nonNull("loaded conversation", each).conversation()))
                .toList();
        List<Put> memberships = new ArrayList<>();
        List<Raise> marks = new ArrayList<>();
        for (Loaded each : loaded) {
            each.read().forEach((user, number) -> {
                marks.add(new Raise(mark(each.conversation(), user), number, 0, Optional.of(""), When.ABSENT));
                memberships.add(membership(each.conversation(), user));
            });
        }
        SeveralSteps.run("conversations.load", store, steps -> load(steps, loaded, numbers, memberships, marks));
    }

    private static void load(
            CounterStore steps,
            Collection<Loaded> loaded,
            List<CellKey> numbers,
            List<Put> memberships,
            List<Raise> marks) {
        List<Cell> present = steps.cellsOf(numbers);
        List<Add> adds = new ArrayList<>();
        int next = 0;
        for (Loaded each : loaded) {
            if (present.get(next).count() == 0 && each.last() > 0) {
                adds.add(new Add(numbers.get(next), each.last(), Optional.of(LOADED)));
            }
            next++;
        }
        steps.addAll(adds);
        steps.putAll(memberships);
        steps.raiseAll(marks);
    }

    /**
     * Ends a membership. Idempotent.
     *
     * @param conversation the conversation
     * @param user the user who leaves
     */
    public void leave(String conversation, String user) {
        CellKey mark = mark(conversation, user);
        SeveralSteps.run(
                "conversations.leave", store, steps -> leave(steps, user, List.of(conversation), List.of(mark)));
    }

    private static void leave(CounterStore steps, String user, List<String> conversations, List<CellKey> marks) {
        steps.removeCells(marks);
        steps.removeMembers(joined(user), conversations);
        List<Cell> now = steps.cellsOf(marks);
        List<Put> rejoined = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            if (now.get(i).mark().isPresent()) {
                // The user joined again meanwhile.
                rejoined.add(membership(conversations.get(i), user));
            }
        }
        if (!rejoined.isEmpty()) {
            steps.put(rejoined);
        }
    }

    /**
     * Numbers a new message: it takes the next number. The sender has then read up to this message. Atomic; not
     * idempotent.
     *
     * <p>If the outcome is unknown, a number may be in use that no message has. For the other members this number is
     * unread until they read a later message, unless it is removed with {@link #remove}. The exception does not name
     * the number. The host finds it as the number up to {@link #last} for which the host recorded no message.
     *
     * @param conversation the conversation
     * @param sender a member
     * @return the number
     * @throws NotAMemberException if the sender is not a member; no number is used
     * @throws ArithmeticException if there is no higher number; no number is used
     * @throws io.feedkit.OutcomeUnknownException if a number may have been used
     */
    public long add(String conversation, String sender) {
        CellKey mark = mark(conversation, Ids.require("sender", sender));
        Added added = store.add(List.of(new Add(numbers(conversation), 1, Optional.empty(), Optional.of(mark.name()))))
                .get(0);
        if (added.outcome() == Outcome.UNMARKED) {
            throw new NotAMemberException(conversation, sender);
        }
        if (added.outcome() == Outcome.OVERFLOW) {
            throw new ArithmeticException("cannot number a message of " + Ids.printable(conversation)
                    + ": the last number is " + added.count() + ", and there is no higher one");
        }
        return added.count();
    }

    /**
     * Returns the number of the last message, in one call to the store.
     *
     * @param conversation the conversation
     * @return the number, even if the message was removed; {@code 0} if there is no message
     */
    public long last(String conversation) {
        return store.cell(numbers(conversation)).count();
    }

    /**
     * Records how far a member has read. The mark never moves back, and a number beyond the last message counts as the
     * last. Atomic; idempotent; devices may report in any order.
     *
     * @param conversation the conversation
     * @param user a member
     * @param number the number of the message, at least 0
     * @throws NotAMemberException if the user is not a member
     */
    public void markSeen(String conversation, String user, long number) {
        Arguments.between("number", number, 0, Long.MAX_VALUE);
        Raised raised = store.raise(List.of(
                        new Raise(mark(conversation, user), number, 0, Optional.of(""), When.PRESENT).writtenBehind()))
                .get(0);
        if (raised.after().isEmpty()) {
            throw new NotAMemberException(conversation, user);
        }
    }

    /**
     * Records that a member has read all messages.
     *
     * @param conversation the conversation
     * @param user a member
     * @throws NotAMemberException if the user is not a member
     */
    public void markAllSeen(String conversation, String user) {
        markSeen(conversation, user, Long.MAX_VALUE);
    }

    /**
     * Removes a message, so that it does not count for any member; its number stays in use. Idempotent. In a
     * transaction of the host with isolation level REPEATABLE READ, the call does not see messages that were added
     * since the snapshot.
     *
     * @param conversation the conversation
     * @param number the number of the message
     * @throws IllegalArgumentException if there was no such message
     */
    public void remove(String conversation, long number) {
        long last = last(conversation);
        if (number < 1 || number > last) {
            throw new IllegalArgumentException("number must be the number of a message of "
                    + Ids.printable(conversation) + ", 1 to " + last + ", but is " + number);
        }
        store.put(List.of(new Put(
                conversation(conversation), Long.toString(number), "", OptionalLong.of(number), Replaced.NONE)));
    }

    /**
     * Counts the messages that a user has not read, in one round trip for each thousand conversations.
     *
     * @param user the user
     * @param conversations the conversations
     * @return for each conversation the count; {@code 0} if the user is not a member
     */
    public List<Long> get(String user, List<String> conversations) {
        return store.standings(marks(user, conversations)).stream()
                .map(Conversations::unread)
                .toList();
    }

    /**
     * Counts the messages of a conversation that a user has not read.
     *
     * @param user the user
     * @param conversation the conversation
     * @return the count; {@code 0} if the user is not a member
     */
    public long get(String user, String conversation) {
        return get(user, List.of(Ids.require("conversation", conversation))).get(0);
    }

    static List<CellKey> marks(String user, Collection<String> conversations) {
        Ids.require("user", user);
        return Arguments.nonNull("conversations", conversations).stream()
                .map(conversation -> mark(conversation, user))
                .toList();
    }

    static long unread(Standing standing) {
        OptionalLong mark = standing.cell().mark();
        return mark.isEmpty() ? 0 : Math.max(0, standing.cell().count() - mark.getAsLong() - standing.above());
    }

    /**
     * Ends all present memberships of a user. A membership that begins meanwhile stays. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        List<String> left =
                store.members(joined(user)).stream().map(Member::name).toList();
        if (left.isEmpty()) {
            return;
        }
        List<CellKey> marks =
                left.stream().map(conversation -> mark(conversation, user)).toList();
        SeveralSteps.run("conversations.forget", store, steps -> leave(steps, user, left, marks));
    }
}
