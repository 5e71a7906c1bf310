package io.feedkit.redis.internal.writebehind;

import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;

/**
 * Something of an owner that may have to be written.
 *
 * @param kind a cell or a member
 * @param owner the owner
 * @param name its name
 */
record Item(Kind kind, Owner owner, String name) {

    enum Kind {
        CELL("c"),
        MEMBER("s");

        private final String letter;

        Kind(String letter) {
            this.letter = letter;
        }

        String letter() {
            return letter;
        }
    }

    private static final int PARTS = 3;

    static Item cell(CellKey key) {
        return new Item(Kind.CELL, key.owner(), key.name());
    }

    static Item member(Owner owner, String name) {
        return new Item(Kind.MEMBER, owner, name);
    }

    CellKey key() {
        return new CellKey(owner, name);
    }

    /** As it is noted; neither ids nor names have a space. */
    String text() {
        return kind.letter() + beginning(owner) + name;
    }

    /** What the texts of an owner's items have between their first letter and the name. */
    static String beginning(Owner owner) {
        return owner.space() + " " + owner.id() + " ";
    }

    static Item of(String text) {
        String[] parts = text.substring(1).split(" ", PARTS);
        Kind kind = text.startsWith(Kind.CELL.letter()) ? Kind.CELL : Kind.MEMBER;
        return new Item(kind, new Owner(Space.valueOf(parts[0]), parts[1]), parts[2]);
    }
}
