package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Moment;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.testkit.internal.RegisterAsker;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How engines get changes, and the entries of the authors that their readers follow. */
public abstract class RegisterUpdateRules extends RegisterRules {

    private static final int ANY_SIZE = Integer.MAX_VALUE;

    protected RegisterUpdateRules(OutboxKit kit) {
        super(kit);
    }

    private Update since(Moment moment, String... asked) {
        return register.update(Optional.of(moment), List.of(asked), ANY_SIZE);
    }

    private Update fromTheBeginning(int wholeUpTo, String... asked) {
        kit.pass(CHANGES_REPEATED);
        return register.update(Optional.empty(), List.of(asked), wholeUpTo);
    }

    private Optional<Entry> stored(String author) {
        return Optional.ofNullable(pulled().get(author));
    }

    private static PostKey key(String author, int n) {
        return post(author, n).key();
    }

    private void delete(PostKey... keys) {
        assertThat(outbox.outbox().delete(List.of(keys))).as("deleted").containsOnly(true);
    }

    /**
     * Asserts that an update has the present state of an author's entry, or of some posts of the author. It may contain
     * more, if that is correct.
     */
    private Moment assertReports(String change, Update update, String author, PostKey... posts) {
        RegisterSnapshot now = RegisterSnapshot.of(register);
        Set<PostKey> reported = new HashSet<>(update.retracting());
        reported.addAll(update.retracted());
        assertThat(update.scope()).as("scope after %s", change).isEqualTo(Scope.CHANGES);
        update.entries()
                .forEach((each, entry) -> assertThat(entry)
                        .as("entry of %s after %s", each, change)
                        .isEqualTo(stored(each)));
        if (posts.length == 0) {
            assertThat(update.entries()).as("entries after %s", change).containsKey(author);
        }
        assertThat(reported).as("posts after %s", change).containsAll(List.of(posts));
        assertThat(now.retracting())
                .as("posts being retracted after %s", change)
                .containsAll(update.retracting())
                .noneMatch(update.retracted()::contains);
        return update.moment();
    }

    @Test
    @DisplayName("every change is in the update since the moment before it, with the state at the update")
    void everyChange() {
        outbox.publish(posts("bob", 3));
        Moment moment = fromTheBeginning(ANY_SIZE).moment();
        register.put(List.of(post("bob", 1)));
        moment = assertReports("a new entry", since(moment), "bob");
        register.put(List.of(post("bob", 3)));
        moment = assertReports("a wider entry", since(moment), "bob");
        register.put(List.of(post("bob", 2)));
        moment = assertReports("an entry no wider than before", since(moment), "bob");
        delete(key("bob", 2));
        moment = assertReports("a deletion", since(moment), "bob", key("bob", 2));
        register.remove("bob", entry("bob").version());
        moment = assertReports("a removal", since(moment), "bob");
        assertThat(stored("bob")).isEmpty();
        register.retracted(List.of(key("bob", 2)));
        moment = assertReports("a finished retraction", since(moment), "bob", key("bob", 2));
        register.put(List.of(post("bob", 1)));
        assertReports("an entry that came back", since(moment), "bob");
    }

    @Test
    @DisplayName("an update is empty if nothing changed, and its moment can be used again")
    void nothingChanged() {
        Moment empty = fromTheBeginning(ANY_SIZE).moment();
        assertQuiet(empty);
        register.put(List.of(post("bob", 1)));
        Moment before = assertReports("a new entry", since(empty), "bob");
        outbox.publish(post("amy", 1));
        outbox.settle();
        register.put(List.of());
        register.retracted(List.of());
        register.retracted(List.of(key("bob", 7)));
        kit.tick();
        Update nothing = since(before);
        assertQuiet(nothing.moment());
        assertQuiet(before);
        assertQuiet(fromTheBeginning(ANY_SIZE).moment());
        assertReports("a new entry", since(empty), "bob");
    }

    @Test
    @DisplayName("an update does not change when the register changes later")
    void updateStays() {
        outbox.publish(posts("bob", 1));
        register.put(List.of(post("bob", 1)));
        Update before = fromTheBeginning(ANY_SIZE);
        register.put(List.of(post("amy", 1)));
        delete(key("bob", 1));
        assertThat(before.entries()).containsOnlyKeys("bob");
        assertThat(before.retracting()).isEmpty();
        assertThat(pulled()).containsOnlyKeys("bob", "amy");
    }

    @Test
    @DisplayName("a repeated change is in the update once, with the state at the update")
    void latestState() {
        outbox.publish(post("bob", 100), post("cid", 100));
        delete(key("bob", 100));
        register.put(List.of(post("amy", 1)));
        Moment moment = fromTheBeginning(ANY_SIZE).moment();
        register.remove("amy", entry("amy").version());
        for (int round = 1; round <= 10; round++) {
            register.put(List.of(post("bob", round), post("amy", round), post("bob", 50 - round)));
            register.remove("amy", entry("amy").version());
        }
        delete(key("cid", 100));
        register.retracted(List.of(key("bob", 100), key("cid", 100)));
        Update update = since(moment);
        assertThat(update.scope()).isEqualTo(Scope.CHANGES);
        assertThat(update.entries())
                .containsEntry("bob", stored("bob"))
                .containsEntry("amy", Optional.empty())
                .hasSizeBetween(2, 3);
        assertThat(update.retracting()).isEmpty();
        assertThat(update.retracted()).contains(key("bob", 100)).isSubsetOf(key("bob", 100), key("cid", 100));
        assertCovers(entry("bob"), posts("bob", 49));
    }

    @Test
    @DisplayName(
            "requested authors are in the update, whether they changed or not, and whether they are registered or not")
    void askedAuthors() {
        outbox.publish(posts("bob", 3));
        outbox.publish(posts("cid", 1));
        outbox.publish(posts("dan", 1));
        register.put(List.of(post("bob", 1), post("amy", 1), post("dan", 1)));
        delete(key("bob", 1), key("bob", 2), key("cid", 1), key("dan", 1));
        Moment moment = fromTheBeginning(ANY_SIZE).moment();
        Update update = since(moment, "bob", "cid", "zoe");
        assertThat(update.scope()).isEqualTo(Scope.CHANGES);
        assertThat(update.entries())
                .isEqualTo(Map.of("bob", stored("bob"), "cid", Optional.empty(), "zoe", Optional.empty()));
        assertThat(update.retracting()).isEqualTo(Set.of(key("bob", 1), key("bob", 2), key("cid", 1)));
        assertThat(update.retracted()).isEmpty();
        register.put(List.of(post("amy", 2), post("bob", 3)));
        register.retracted(List.of(key("bob", 1)));
        update = since(update.moment(), "bob", "zoe");
        assertThat(update.scope()).isEqualTo(Scope.CHANGES);
        assertThat(update.entries())
                .isEqualTo(Map.of("amy", stored("amy"), "bob", stored("bob"), "zoe", Optional.empty()));
        assertThat(update.retracting()).isEqualTo(Set.of(key("bob", 2)));
        assertThat(update.retracted()).isEqualTo(Set.of(key("bob", 1)));
        assertThat(fromTheBeginning(ANY_SIZE, "zoe").entries())
                .containsEntry("zoe", Optional.empty())
                .containsEntry("bob", stored("bob"));
    }

    @Test
    @DisplayName(
            "without a moment, an update has a small register as a whole, and only the requested authors of a larger"
                    + " one")
    void wholeUpTo() {
        outbox.publish(posts("bob", 3));
        outbox.publish(posts("cid", 1));
        register.put(List.of(post("bob", 1), post("amy", 1)));
        delete(key("bob", 1), key("bob", 2), key("cid", 1));
        int size = 2 + 3;
        for (int wholeUpTo : List.of(size, size + 1, ANY_SIZE)) {
            Update whole = fromTheBeginning(wholeUpTo, "bob");
            assertThat(whole.scope()).as("scope up to %s", wholeUpTo).isEqualTo(Scope.WHOLE);
            assertThat(present(whole)).containsOnlyKeys("amy", "bob").isEqualTo(pulled());
            assertThat(whole.retracting()).isEqualTo(Set.of(key("bob", 1), key("bob", 2), key("cid", 1)));
        }
        for (int wholeUpTo : List.of(size - 1, size - 2, 1, 0)) {
            assertAuthors(fromTheBeginning(wholeUpTo));
            assertAuthors(fromTheBeginning(wholeUpTo, "amy"), "amy");
            assertAuthors(fromTheBeginning(wholeUpTo, "bob", "zoe"), "bob", "zoe");
            assertAuthors(fromTheBeginning(wholeUpTo, "cid"), "cid");
        }
        register.retracted(List.of(key("bob", 2)));
        assertThat(fromTheBeginning(size - 1).scope()).isEqualTo(Scope.WHOLE);
        register.remove("amy", entry("amy").version());
        assertThat(fromTheBeginning(size - 2).scope()).isEqualTo(Scope.WHOLE);
    }

    private static Map<String, Entry> present(Update update) {
        Map<String, Entry> present = new HashMap<>();
        update.entries().forEach((author, entry) -> entry.ifPresent(each -> present.put(author, each)));
        return present;
    }

    /** Asserts that an update has the entries of given authors, and nothing else. */
    private void assertAuthors(Update update, String... asked) {
        Set<String> authors = Set.of(asked);
        RegisterSnapshot expected = RegisterSnapshot.of(register).about(authors::contains);
        assertThat(update.scope()).isEqualTo(Scope.AUTHORS);
        assertThat(update.entries().keySet()).isEqualTo(authors);
        assertThat(present(update)).isEqualTo(expected.pulled());
        assertThat(update.retracting()).isEqualTo(expected.retracting());
        assertThat(update.retracted()).isEmpty();
    }

    @Test
    @DisplayName("an update about some authors only is a valid start for later updates")
    void goesOnFromAuthors() {
        outbox.publish(posts("bob", 2));
        register.put(List.of(post("bob", 1), post("amy", 1), post("cid", 1)));
        Moment moment = fromTheBeginning(0, "bob").moment();
        assertQuiet(moment);
        register.put(List.of(post("amy", 2)));
        moment = assertReports("a wider entry of another author", since(moment), "amy");
        delete(key("bob", 2));
        assertReports("a deletion", since(moment), "bob", key("bob", 2));
    }

    @Test
    @DisplayName("awkward ids of requested authors are separate")
    void awkwardAuthors() {
        List<Post> posts = AWKWARD_IDS.stream().map(author -> post(author, 1)).toList();
        outbox.publish(posts);
        register.put(posts);
        delete(posts.stream().map(Post::key).toArray(PostKey[]::new));
        Moment moment = fromTheBeginning(0).moment();
        for (String author : AWKWARD_IDS) {
            Update update = since(moment, author);
            assertThat(update.entries()).isEqualTo(Map.of(author, stored(author)));
            assertThat(update.entries().get(author)).isPresent();
            assertThat(update.retracting()).isEqualTo(Set.of(key(author, 1)));
        }
    }

    @Test
    @DisplayName("one update can name many authors")
    void manyAuthors() {
        int many = 40 * kit.rounds();
        List<String> authors =
                IntStream.range(0, many).mapToObj(i -> "author-" + i).toList();
        List<String> registered = authors.subList(0, many / 2);
        register.put(registered.stream().map(author -> post(author, 1)).toList());
        Map<String, Optional<Entry>> expected = new HashMap<>();
        Map<String, Entry> pulled = pulled();
        authors.forEach(author -> expected.put(author, Optional.ofNullable(pulled.get(author))));
        Update update = register.update(Optional.empty(), authors, 0);
        assertThat(update.scope()).isEqualTo(Scope.AUTHORS);
        assertThat(update.entries()).isEqualTo(expected);
        update = register.update(Optional.of(update.moment()), authors, 0);
        assertThat(update.scope()).isEqualTo(Scope.CHANGES);
        assertThat(update.entries()).isEqualTo(expected);
    }

    @Test
    @DisplayName("a change is in the next update of every asker, however many askers got it before")
    void twoPaces() {
        outbox.publish(posts("bob", 2));
        RegisterAsker quick = RegisterAsker.ofAll(register);
        quick.ask();
        RegisterAsker slow = quick.copy();
        for (Runnable change : List.<Runnable>of(
                () -> register.put(List.of(post("bob", 1), post("amy", 1))),
                () -> delete(key("bob", 1)),
                () -> register.remove("amy", entry("amy").version()),
                () -> register.put(List.of(post("cid", 1))),
                () -> delete(key("bob", 2)),
                () -> register.retracted(List.of(key("bob", 1))))) {
            change.run();
            assertAskedRight("the asker after each change", quick);
        }
        assertAskedRight("the asker after all changes", slow);
    }

    private void assertAskedRight(String who, RegisterAsker asker) {
        asker.ask();
        assertThat(asker.believed()).as("the copy of %s", who).isEqualTo(asker.wanted());
    }

    @Test
    @DisplayName("updates since any moment, applied one after the other, give the present register")
    void randomHistory() {
        int steps = 8 * kit.rounds();
        for (int seed = 1; seed <= 3; seed++) {
            new RegisterHistory(kit, outbox, seed).run(steps);
        }
    }

    @Test
    @DisplayName("an update since a moment before many changes has them all, unless its scope says otherwise")
    void manyChanges() {
        int many = 120 * kit.rounds();
        List<Post> posts =
                IntStream.range(0, many).mapToObj(i -> post("author-" + i, 1)).toList();
        List<PostKey> deleted = posts("bob", 200).stream().map(Post::key).toList();
        List<PostKey> before = deleted.subList(0, 50);
        outbox.publish(posts("bob", 200));
        outbox.outbox().delete(before);
        Moment moment = fromTheBeginning(ANY_SIZE).moment();
        for (int from = 0; from < many; from += 500) {
            register.put(posts.subList(from, Math.min(many, from + 500)));
        }
        outbox.outbox().delete(deleted.subList(50, 200));
        pulled().entrySet().stream()
                .limit(kit.rounds())
                .forEach(entry ->
                        register.remove(entry.getKey(), entry.getValue().version()));
        register.retracted(before);
        assertComplete(moment, posts.stream().map(Post::author).toList(), Set.copyOf(before));
    }

    @Test
    @DisplayName("an update since a moment long ago has all changes, unless its scope says otherwise")
    void longAgo() {
        outbox.publish(posts("bob", 2));
        register.put(List.of(post("cid", 1)));
        delete(key("bob", 1));
        Moment moment = fromTheBeginning(ANY_SIZE).moment();
        register.put(List.of(post("amy", 1)));
        register.remove("cid", entry("cid").version());
        delete(key("bob", 2));
        register.retracted(List.of(key("bob", 1)));
        kit.pass(kit.longTime());
        register.put(List.of(post("dan", 1)));
        assertComplete(moment, List.of("amy", "cid", "dan"), Set.of(key("bob", 1)));
    }

    /** Asserts that an update since a moment has all changes, or that its scope says otherwise. */
    private void assertComplete(Moment moment, Collection<String> changed, Set<PostKey> ended) {
        RegisterSnapshot now = RegisterSnapshot.of(register);
        Update update = since(moment);
        if (update.scope() == Scope.CHANGES) {
            Map<String, Optional<Entry>> expected = new HashMap<>();
            changed.forEach(author ->
                    expected.put(author, Optional.ofNullable(now.pulled().get(author))));
            assertThat(update.entries()).containsAllEntriesOf(expected);
            assertThat(update.retracting()).isEqualTo(now.retracting());
            assertThat(update.retracted()).isEqualTo(ended);
        } else {
            assertThat(update.scope()).isEqualTo(Scope.WHOLE);
            assertThat(present(update)).isEqualTo(now.pulled());
            assertThat(update.retracting()).isEqualTo(now.retracting());
        }
        Update ofSome = register.update(Optional.of(moment), List.of("bob", "zoe"), 1);
        assertThat(ofSome.scope()).isIn(Scope.CHANGES, Scope.AUTHORS);
        if (ofSome.scope() == Scope.AUTHORS) {
            assertAuthors(ofSome, "bob", "zoe");
        }
        assertQuiet(update.moment());
        assertQuiet(ofSome.moment());
    }
}
