package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What was registered of some authors at one moment. A page takes it before it looks at the inbox. What leaves the
 * register later was in no inbox that was looked at before: an author whose catch-up ends, a deleted post whose
 * retraction ends. Immutable.
 */
public final class RegisterView {

    static final RegisterView OF_NOBODY = new RegisterView(Set.of(), Map.of(), -1);

    private final Set<String> about;
    private final Map<String, Registered> registered;
    private final long change;

    RegisterView(Set<String> about, Map<String, Registered> registered, long change) {
        this.about = about;
        this.change = change;
        this.registered = registered;
    }

    /** The number of the last change, of whatever author, that the cache had been told of before. */
    long change() {
        return change;
    }

    /** Whether it tells of all these authors. */
    public boolean isAbout(Set<String> authors) {
        return about == authors || about.containsAll(authors);
    }

    /** Those of the authors of whom anything is registered. */
    public Map<String, Registered> registered() {
        return registered;
    }

    private Registered of(String author) {
        return registered.getOrDefault(author, Registered.NOTHING);
    }

    public boolean isPulled(String author) {
        return of(author).isPulled();
    }

    /** Whether a post was deleted, and may still stand in inboxes. */
    public boolean isRetracting(Post post) {
        return !registered.isEmpty() && of(post.author()).retracting().contains(post.id());
    }

    /** Whether posts by some of these authors were deleted that may still stand in inboxes. */
    public boolean isRetractingAnyOf(Set<String> authors) {
        return registered.entrySet().stream()
                .anyMatch(each -> !each.getValue().retracting().isEmpty() && authors.contains(each.getKey()));
    }

    /**
     * Where the unpushed posts of some of the authors are, of those who have any; found through whichever is smaller,
     * these authors or all that are registered.
     */
    public Map<String, Registered.Unpushed> unpushed(Set<String> authors) {
        Map<String, Registered.Unpushed> found = new HashMap<>();
        Consumer<String> add = author -> of(author).unpushed().ifPresent(unpushed -> found.put(author, unpushed));
        if (registered.size() < authors.size()) {
            registered.keySet().stream().filter(authors::contains).forEach(add);
        } else {
            authors.forEach(add);
        }
        return found;
    }

    /** As {@link Registered#isUnpushed}. */
    public boolean isUnpushed(Post post) {
        return of(post.author()).isUnpushed(post);
    }

    /** Which of an author's unpushed posts are known. */
    Registered.Stamp stamp(String author) {
        return of(author).stamp();
    }

    /** Those of some of the authors whose unpushed posts may be among the next of a walk. */
    public PulledAuthors pulled(Predicate<String> authors, PositionRange range, Order order, int limit) {
        if (registered.isEmpty()) {
            return PulledAuthors.NONE;
        }
        PulledAuthors.Choice choice = new PulledAuthors.Choice(range, order, limit);
        registered.forEach((author, each) -> {
            if (each.isPulled() && authors.test(author)) {
                choice.consider(author, each.newest());
            }
        });
        return choice.made();
    }
}
