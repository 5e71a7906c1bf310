package io.feedkit.survival.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The follows of readers, and the times since which they are certain. Not thread-safe. */
final class FollowTimes {

    private enum State {
        FOLLOWS,
        DOES_NOT_FOLLOW,
        CHANGES
    }

    private record Pair(String reader, String author) {}

    private record Change(long at, State state) {}

    private final Map<Pair, List<Change>> changes = new HashMap<>();

    /** A follow or an unfollow begins. From now on it may have happened. */
    void begins(String reader, String author, long at) {
        changed(reader, author, new Change(at, State.CHANGES));
    }

    /** A follow or an unfollow has happened. */
    void ended(String reader, String author, boolean follows, long at) {
        changed(reader, author, new Change(at, follows ? State.FOLLOWS : State.DOES_NOT_FOLLOW));
    }

    /** Whether the reader certainly followed the author at each moment. */
    boolean followed(String reader, String author, long from, long to) {
        return certain(reader, author, State.FOLLOWS, from, to);
    }

    /** Whether the reader certainly did not follow the author at any moment. */
    boolean notFollowed(String reader, String author, long from, long to) {
        return certain(reader, author, State.DOES_NOT_FOLLOW, from, to);
    }

    /** The history of a pair, for messages. */
    String describe(String reader, String author, long origin) {
        StringBuilder text = new StringBuilder();
        for (Change change : of(reader, author)) {
            text.append(' ').append(change.state).append(" at ").append(change.at - origin);
        }
        return text.isEmpty() ? " never" : text.toString();
    }

    private void changed(String reader, String author, Change change) {
        changes.computeIfAbsent(new Pair(reader, author), pair -> new ArrayList<>())
                .add(change);
    }

    private List<Change> of(String reader, String author) {
        return changes.getOrDefault(new Pair(reader, author), List.of());
    }

    private boolean certain(String reader, String author, State wanted, long from, long to) {
        State state = State.DOES_NOT_FOLLOW;
        for (Change change : of(reader, author)) {
            if (change.at > to) {
                break;
            }
            if (change.at > from && (change.state != wanted || state != wanted)) {
                return false;
            }
            state = change.state;
        }
        return state == wanted;
    }
}
