package io.feedkit.counter;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counts of posts. A post has an incarnation, and for each incarnation one count of a kind. Dropping a post raises
 * its incarnation, so that the reactions or views of the earlier one need not be removed one by one.
 */
final class Posts {

    private final CounterStore store;
    private final String kind;

    Posts(CounterStore store, String kind) {
        this.store = store;
        this.kind = kind;
    }

    static Owner owner(String post) {
        return new Owner(Space.POSTS, Ids.require("post", post));
    }

    /** The cell that holds a post's incarnation. */
    CellKey incarnation(String post) {
        return new CellKey(owner(post), kind + "/");
    }

    CellKey count(String post, long incarnation) {
        return new CellKey(owner(post), kind + "/" + incarnation);
    }

    long incarnationNow(String post) {
        return store.cell(incarnation(post)).count();
    }

    /** The cells that hold the posts' incarnations. */
    List<CellKey> incarnations(List<String> posts) {
        return Arguments.nonNull("posts", posts).stream().map(this::incarnation).toList();
    }

    /** The counts of posts, in one round trip. */
    List<Long> counts(List<String> posts) {
        List<Owner> owners =
                Arguments.nonNull("posts", posts).stream().map(Posts::owner).toList();
        return store.cells(owners).stream().map(this::count).toList();
    }

    private long count(Map<String, Cell> cells) {
        Cell incarnation = cells.getOrDefault(kind + "/", Cell.NONE);
        return cells.getOrDefault(kind + "/" + incarnation.count(), Cell.NONE).count();
    }

    void drop(String post) {
        long before = store.add(List.of(new Add(incarnation(post), 1, Optional.empty())))
                        .get(0)
                        .count()
                - 1;
        store.removeCells(List.of(count(post, before)));
    }
}
