package io.feedkit.counter;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The counts of posts. A post has an incarnation, and for each incarnation one count of a kind. Forgetting a post
 * raises its incarnation, so that the reactions or views of earlier incarnations need not be removed one by one.
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
        return new CellKey(owner(post), countName(incarnation, ""));
    }

    /** The name of the count of a choice; {@code ""} without choices. */
    String countName(long incarnation, String choice) {
        return kind + "/" + incarnation + (choice.isEmpty() ? "" : "/" + choice);
    }

    long incarnationNow(String post) {
        return store.cell(incarnation(post)).count();
    }

    /** The cells that hold the posts' incarnations. */
    List<CellKey> incarnations(List<String> posts) {
        return Arguments.nonNull("posts", posts).stream().map(this::incarnation).toList();
    }

    /** The counts of posts without choices. */
    List<Long> counts(List<String> posts) {
        return choices(posts).stream()
                .map(choices -> choices.getOrDefault("", 0L))
                .toList();
    }

    /** The counts of posts by choice, without those of zero. */
    List<Map<String, Long>> choices(List<String> posts) {
        List<Owner> owners =
                Arguments.nonNull("posts", posts).stream().map(Posts::owner).toList();
        return store.cells(owners).stream().map(this::choices).toList();
    }

    private Map<String, Long> choices(Map<String, Cell> cells) {
        long incarnation = cells.getOrDefault(kind + "/", Cell.NONE).count();
        Map<String, Long> choices = new TreeMap<>();
        cells.forEach((name, cell) -> choice(name, incarnation)
                .filter(choice -> cell.count() != 0)
                .ifPresent(choice -> choices.put(choice, cell.count())));
        return choices;
    }

    /** The choice of a count of an incarnation; empty for other cells. */
    private Optional<String> choice(String name, long incarnation) {
        String plain = countName(incarnation, "");
        if (name.equals(plain)) {
            return Optional.of("");
        }
        return name.startsWith(plain + "/") ? Optional.of(name.substring(plain.length() + 1)) : Optional.empty();
    }

    /**
     * Raises the post's incarnation, and removes the counts of earlier ones, including counts that interrupted calls
     * left.
     */
    void forget(String post) {
        CellKey incarnation = incarnation(post);
        SeveralSteps.run("posts.forget", store, steps -> {
            long now = steps.add(List.of(new Add(incarnation, 1, Optional.empty())))
                    .get(0)
                    .count();
            List<CellKey> counts = steps.cells(List.of(incarnation.owner())).get(0).keySet().stream()
                    .filter(name -> isBefore(name, now))
                    .map(name -> new CellKey(incarnation.owner(), name))
                    .toList();
            steps.removeCells(counts);
        });
    }

    /** Whether a cell is a count of this kind, and of an incarnation before another. */
    private boolean isBefore(String name, long incarnation) {
        String[] parts = name.split("/", -1);
        return parts[0].equals(kind) && !parts[1].isEmpty() && Long.parseLong(parts[1]) < incarnation;
    }
}
