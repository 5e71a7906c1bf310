package io.feedkit.counter;

import io.feedkit.spi.CounterStore;
import io.feedkit.spi.CounterStore.Add;
import io.feedkit.spi.CounterStore.Cell;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import io.feedkit.spi.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is counted for posts. A post has an incarnation, and one count of a kind for each: dropping a post raises its incarnation, and what users did to the one before is not walked
 * through.
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

    private static CellKey incarnation(String post, String kind) {
        return new CellKey(owner(post), kind + "/");
    }

    CellKey count(String post, long incarnation) {
        return new CellKey(owner(post), kind + "/" + incarnation);
    }

    long incarnation(String post) {
        return store.cellsOf(List.of(incarnation(post, kind))).get(0).count();
    }

    List<Long> incarnations(List<String> posts) {
        List<CellKey> keys = posts.stream().map(post -> incarnation(post, kind)).toList();
        return store.cellsOf(keys).stream().map(Cell::count).toList();
    }

    List<Long> counts(List<String> posts) {
        List<Long> incarnations = incarnations(posts);
        List<CellKey> keys = new ArrayList<>(posts.size());
        for (int i = 0; i < posts.size(); i++) {
            keys.add(count(posts.get(i), incarnations.get(i)));
        }
        return store.cellsOf(keys).stream().map(Cell::count).toList();
    }

    void discard(String post, long ticket) {
        store.redeem(incarnation(post, kind), ticket, 0);
    }

    void drop(String post) {
        long before = store.add(List.of(new Add(incarnation(post, kind), 1, Optional.empty())))
                        .get(0)
                        .count()
                - 1;
        store.removeCells(List.of(count(post, before)));
    }
}
