package io.feedkit.health;

import static java.util.stream.Collectors.joining;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Says what is kept in a place, how durable it is there, and what endangers it.
 *
 * @param data what is kept there
 * @param place the kind of server and where it is, without credentials
 * @param durability what survives a crash of the server
 * @param dangers a sentence for each setting that endangers the data, with what to do; empty if none was found
 * @since 0.1.0
 */
@Beta
public record StoreDescription(Set<Data> data, String place, String durability, List<String> dangers) {

    /** What a store keeps. */
    public enum Data {
        /** Posts, tombstones, fan-out tasks and the pulled register. */
        POSTS,
        /** Who follows whom. */
        FOLLOWS,
        /** How far readers have seen. */
        MARKS,
        /** Inboxes, and the orders of ranked feeds. */
        INBOXES,
        /** Old posts that have left the outbox; in an archive, not in a store. */
        ARCHIVE,
        /** Copies of inboxes, for readers who come back; the second level, not a store. */
        INBOX_COPIES
    }

    /** Copies the collections. */
    public StoreDescription {
        data = Set.copyOf(Arguments.nonNull("data", data));
        Arguments.nonNull("place", place);
        Arguments.nonNull("durability", durability);
        dangers = List.copyOf(Arguments.nonNull("dangers", dangers));
    }

    /**
     * Returns this description for a part of the data.
     *
     * @param kept the data that is kept there
     * @return the description
     */
    public StoreDescription with(Set<Data> kept) {
        return new StoreDescription(Arguments.nonNull("kept", kept), place, durability, dangers);
    }

    /** One line. */
    @Override
    public String toString() {
        String names = data.isEmpty()
                ? "nothing"
                : EnumSet.copyOf(data).stream()
                        .map(each -> each.name().toLowerCase(Locale.ROOT))
                        .collect(joining(", "));
        return names + ": " + place + "; " + durability
                + (dangers.isEmpty() ? "" : "; DANGER: " + String.join("; ", dangers));
    }
}
