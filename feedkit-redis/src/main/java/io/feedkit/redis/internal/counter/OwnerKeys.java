package io.feedkit.redis.internal.counter;

import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of an owner's keys, all in the bucket of the owner's id.
 *
 * @param keys the keys of the application
 */
record OwnerKeys(Keys keys) {

    /** The bucket of an owner. In a cluster, all owners of one script must be in one bucket. */
    static int bucket(Owner owner) {
        return Keys.bucket(owner.id());
    }

    /** The hash of cells: counts and marks. */
    byte[] cells(Owner owner) {
        return keys.ofUser(word(owner.space()), owner.id());
    }

    /** The hash of members. */
    byte[] set(Owner owner) {
        return keys.ofUser(word(owner.space()) + ".set", owner.id());
    }

    /** The members of a conversation, or of a large set of reactions, in the order of their numbers. */
    byte[] order(Owner owner) {
        return keys.ofUser(word(owner.space()) + ".order", owner.id());
    }

    /** Operations and open tickets. */
    byte[] once(Owner owner) {
        return keys.ofUser(word(owner.space()) + ".once", owner.id());
    }

    /** The amounts that retractable operations added. */
    byte[] added(Owner owner) {
        return keys.ofUser(word(owner.space()) + ".added", owner.id());
    }

    /** The newest names of a sequence. */
    byte[] newest(CellKey key) {
        return keys.ofPair(word(key.owner().space()) + ".newest", key.owner().id(), key.name());
    }

    /** The pattern of the keys of all sets of a space. */
    String sets(Space space) {
        return keys.pattern(word(space) + ".set");
    }

    /** The owner of a set. */
    Owner ownerOfSet(Space space, byte[] key) {
        return new Owner(space, keys.user(word(space) + ".set", key));
    }

    /** The pattern of the keys of all cells of a space. */
    String cells(Space space) {
        return keys.pattern(word(space));
    }

    /** The owner of cells. */
    Owner ownerOfCells(Space space, byte[] key) {
        return new Owner(space, keys.user(word(space), key));
    }

    /** The keys that hold members: the hash, and the order if there may be one. */
    List<byte[]> members(Owner owner) {
        List<byte[]> members = new ArrayList<>(List.of(set(owner)));
        if (OwnerKind.of(owner.space()).hasOrder()) {
            members.add(order(owner));
        }
        return members;
    }

    private static String word(Space space) {
        return switch (space) {
            case TYPES -> "types";
            case CONVERSATION -> "talk";
            case CONVERSATIONS -> "talks";
            case ANNOUNCEMENTS -> "news";
            case ANNOUNCEMENTS_SEEN -> "newsseen";
            case DOT -> "dot";
            case DOTS -> "dots";
            case COUNTERS -> "counter";
            case REACTIONS -> "reactions";
            case POSTS -> "counted";
            case VIEWS -> "views";
        };
    }
}
