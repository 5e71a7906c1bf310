package io.feedkit.redis.internal.writebehind;

import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;

/**
 * A cell or a member that may have a pending change, that is, a change that is not written to the source yet.
 *
 * @param type a cell or a member
 * @param owner its owner
 * @param name its name
 */
record CacheItem(Type type, Owner owner, String name) {

    enum Type {
        CELL("c"),
        MEMBER("s");

        private final String letter;

        Type(String letter) {
            this.letter = letter;
        }

        String letter() {
            return letter;
        }
    }

    private static final int PARTS = 3;

    static CacheItem cell(CellKey key) {
        return new CacheItem(Type.CELL, key.owner(), key.name());
    }

    static CacheItem member(Owner owner, String name) {
        return new CacheItem(Type.MEMBER, owner, name);
    }

    CellKey key() {
        return new CellKey(owner, name);
    }

    /** The text in the set of pending changes. Neither ids nor names contain a space. */
    String text() {
        return type.letter() + beginning(owner) + name;
    }

    /** The part that the texts of an owner's items share, between the first letter and the name. */
    static String beginning(Owner owner) {
        return owner.space() + " " + owner.id() + " ";
    }

    static CacheItem of(String text) {
        String[] parts = text.substring(1).split(" ", PARTS);
        Type type = text.startsWith(Type.CELL.letter()) ? Type.CELL : Type.MEMBER;
        return new CacheItem(type, new Owner(Space.valueOf(parts[0]), parts[1]), parts[2]);
    }
}
