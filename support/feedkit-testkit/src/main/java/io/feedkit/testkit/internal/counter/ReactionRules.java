package io.feedkit.testkit.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Newest;
import io.feedkit.counter.Reactions.Page;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Condition;
import io.feedkit.spi.counter.CounterWrites.Counted;
import io.feedkit.spi.counter.CounterWrites.Listing;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testkit.internal.Race;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;

/** The behaviour of reactions that hosts rely on, on any store. */
public final class ReactionRules {

    private static final List<String> USERS = List.of("ann", "ben", "cid", "dan");
    private static final List<String> CHOICES = List.of("up", "down", "so-so");

    private final CounterStore store;
    private final int threads;
    private final Reactions likes;
    private final ExclusiveReactions votes;

    /**
     * Rules for a store.
     *
     * @param store the store
     * @param threads how many threads use it at once
     */
    public ReactionRules(CounterStore store, int threads) {
        this.store = store;
        this.threads = threads;
        this.likes = Reactions.of(store);
        this.votes = ExclusiveReactions.of(store, "vote");
    }

    private long count(String post) {
        return likes.get(List.of(post)).get(0);
    }

    private static List<String> ids(String prefix, int from, int below) {
        return IntStream.range(from, below).mapToObj(i -> prefix + i).toList();
    }

    private static List<String> reversed(List<String> ids) {
        List<String> reversed = new ArrayList<>(ids);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Calls return whether they changed the count, and only one of several concurrent or repeated calls does. */
    public void answers() {
        assertThat(likes.add("ann", "p")).isTrue();
        assertThat(likes.add("ann", "p")).isFalse();
        assertThat(likes.add(List.of(new Reaction("ann", "p"), new Reaction("ben", "p"), new Reaction("ben", "q"))))
                .containsExactly(new Reaction("ben", "p"), new Reaction("ben", "q"));
        assertThat(likes.remove("cid", "p")).isFalse();
        assertThat(likes.remove(List.of(new Reaction("cid", "p"), new Reaction("ann", "p"))))
                .containsExactly(new Reaction("ann", "p"));
        assertThat(likes.remove("ann", "p")).isFalse();
        assertThat(Race.run(threads, thread -> likes.add("ann", "race"))).containsOnlyOnce(true);
        assertThat(Race.run(threads, thread -> likes.remove("ann", "race"))).containsOnlyOnce(true);
        assertThat(count("race")).isZero();
        likes.add("ann", "forgotten");
        likes.forgetPost("forgotten");
        assertThat(likes.remove("ann", "forgotten")).isFalse();
        likes.add("ann", "forgotten");
        // A call of forgetPost that was interrupted after its first step.
        store.add(List.of(new Add(new CellKey(new Owner(Space.POSTS, "forgotten"), "+like/"), 1, Optional.empty())));
        likes.forgetPost("forgotten");
        assertThat(store.cells(List.of(new Owner(Space.POSTS, "forgotten"))).get(0))
                .containsOnlyKeys("+like/");
    }

    /** The call that finishes an interrupted call returns true, unless the count was changed before. */
    public void answersOfCallsThatWereCutOff() {
        turn("ann", "p", Optional.empty(), "0+");
        assertThat(likes.add("ann", "p")).isTrue();
        assertThat(likes.add("ann", "p")).isFalse();
        long ticket = turn("ben", "p", Optional.empty(), "0+");
        store.redeem(List.of(new Redemption(new CellKey(new Owner(Space.POSTS, "p"), "+like/0"), ticket, 1)));
        assertThat(likes.add("ben", "p")).isFalse();
        turn("ben", "p", Optional.of("0+"), "0-");
        assertThat(likes.remove("ben", "p")).isTrue();
        assertThat(likes.remove("ben", "p")).isFalse();
        assertThat(count("p")).isOne();
    }

    /** A like that finishes after its post's counts were deleted changes nothing, and leaves no data. */
    public void forgottenMeanwhile() {
        Owner post = new Owner(Space.POSTS, "p");
        likes.add("ben", "p");
        List<Long> tickets = store.openTickets(List.of(post, post, post));
        assertThat(store.redeem(List.of(liked("ann", tickets.get(0), 0)))).containsExactly(true);
        assertThat(count("p")).isEqualTo(2);
        likes.forgetPost("p");
        assertThat(store.redeem(List.of(liked("cid", tickets.get(1), 0), liked("dan", tickets.get(2), 1))))
                .containsExactly(true, true);
        assertThat(store.redeem(List.of(liked("cid", tickets.get(1), 1)))).containsExactly(false);
        CellKey old = new CellKey(post, "+like/0");
        Found found = store.read(Wanted.NOTHING.withCellsOf(List.of(old)).withNewest(List.of(new NewestOf(old, 10))));
        assertThat(found.cellsOf()).containsExactly(Cell.NONE);
        assertThat(found.newest().get(0).names()).isEmpty();
        assertThat(count("p")).isEqualTo(1);
    }

    /** Redeems a ticket of a like if the post is in an incarnation. */
    private static Redemption liked(String user, long ticket, long incarnation) {
        return new Redemption(
                new Owner(Space.POSTS, "p"),
                ticket,
                List.of(new Counted("+like/" + incarnation, 1, Optional.of(new Listing(user, 5)))),
                Optional.of(new Condition("+like/", incarnation)));
    }

    private long turn(String user, String post, Optional<String> from, String to) {
        long ticket = store.openTickets(List.of(new Owner(Space.POSTS, post))).get(0);
        store.turn(List.of(new Turn(new Owner(Space.REACTIONS, user), "like/" + post, from, to, ticket)));
        return ticket;
    }

    /** A user whose reaction was lost, for example in a failover, makes the list incomplete. */
    private void lost() {
        Reactions few = likes.keepingNewest(3);
        USERS.forEach(user -> few.add(user, "lost"));
        store.removeMembers(new Owner(Space.REACTIONS, "dan"), List.of("like/lost"));
        CellKey count = new CellKey(new Owner(Space.POSTS, "lost"), "+like/0");
        store.add(List.of(new Add(count, -1, Optional.empty())));
        assertThat(few.newest("lost", 10)).isEqualTo(new Newest(List.of("cid", "ben"), false));
    }

    /** The list of the newest users of a post is bounded and ordered, and says whether it is complete. */
    public void newest() {
        lost();
        assertThat(likes.newest("p", 5)).isEqualTo(new Newest(List.of(), true));
        Reactions few = likes.keepingNewest(3);
        USERS.forEach(user -> few.add(user, "p"));
        assertThat(few.newest("p", 10)).isEqualTo(new Newest(List.of("dan", "cid", "ben"), false));
        assertThat(few.newest("p", 2)).isEqualTo(new Newest(List.of("dan", "cid"), false));
        few.remove("cid", "p");
        assertThat(few.newest("p", 10)).isEqualTo(new Newest(List.of("dan", "ben"), false));
        few.remove("ann", "p");
        assertThat(few.newest("p", 10)).isEqualTo(new Newest(List.of("dan", "ben"), true));
        few.add("ben", "p");
        few.add("cid", "p");
        few.remove("ben", "p");
        few.add("ben", "p");
        assertThat(few.newest("p", 3)).isEqualTo(new Newest(List.of("ben", "cid", "dan"), true));
        assertThat(few.newest("p", 2)).isEqualTo(new Newest(List.of("ben", "cid"), false));
        likes.keepingNewest(0).add("ann", "p");
        assertThat(likes.newest("p", 10)).isEqualTo(new Newest(List.of("ben", "cid", "dan"), false));
        likes.forgetPost("p");
        assertThat(likes.newest("p", 10)).isEqualTo(new Newest(List.of(), true));
        likes.add("ann", "p");
        assertThat(likes.newest("p", 10)).isEqualTo(new Newest(List.of("ann"), true));
    }

    /** A user whose call was interrupted does not appear among the newest users if the like was removed. */
    public void newestOfCallsThatWereCutOff() {
        List.of("ann", "ben").forEach(user -> likes.add(user, "p"));
        turn("ann", "p", Optional.of("0+"), "0-");
        assertThat(likes.newest("p", 10)).isEqualTo(new Newest(List.of("ben"), false));
        likes.remove("ann", "p");
        assertThat(likes.newest("p", 10)).isEqualTo(new Newest(List.of("ben"), true));
    }

    /** A walk through a user's posts shows all of them, the newest first, also if there are very many. */
    public void pages() {
        assertThat(likes.posts("ann", 5)).isEqualTo(new Page(List.of(), OptionalLong.empty()));
        Reactions claps = Reactions.of(store, "clap");
        claps.add("ann", "p0");
        List<String> posts = new ArrayList<>(ids("p", 0, 25));
        likes.add(reactions("ann", posts));
        claps.add("ann", "p1");
        likes.remove("ann", "p3");
        likes.remove("ann", "p5");
        likes.add("ann", "p5");
        likes.forgetPost("p7");
        posts.removeAll(List.of("p3", "p5", "p7"));
        posts.add("p5");
        assertThat(walk("ann", 4)).isEqualTo(reversed(posts));
        assertThat(walk("ann", 24)).isEqualTo(reversed(posts));
        List<String> many = ids("q", 0, 600);
        likes.add(reactions("ann", many));
        posts.addAll(many);
        likes.remove(reactions("ann", ids("q", 10, 20)));
        posts.removeAll(ids("q", 10, 20));
        likes.add("ann", "p3");
        posts.add("p3");
        assertThat(walk("ann", 100)).isEqualTo(reversed(posts));
        assertThat(claps.posts("ann", 5)).isEqualTo(new Page(List.of("p1", "p0"), OptionalLong.empty()));
        likes.forget("ann");
        assertThat(likes.posts("ann", 5)).isEqualTo(new Page(List.of(), OptionalLong.empty()));
        assertThat(claps.posts("ann", 5).posts()).containsExactly("p1", "p0");
        assertThat(likes.get(posts)).containsOnly(0L);
    }

    private static List<Reaction> reactions(String user, List<String> posts) {
        return posts.stream().map(post -> new Reaction(user, post)).toList();
    }

    private List<String> walk(String user, int limit) {
        Page page = likes.posts(user, limit);
        List<String> walked = new ArrayList<>(page.posts());
        while (page.older().isPresent()) {
            page = likes.posts(user, page.older().getAsLong(), limit);
            assertThat(page.posts().size()).isLessThanOrEqualTo(limit);
            walked.addAll(page.posts());
        }
        return walked;
    }

    /** A walk shows each post once, whatever happens meanwhile. */
    public void pagesMeanwhile() {
        likes.add(reactions("ann", ids("p", 0, 9)));
        Page first = likes.posts("ann", 3);
        assertThat(first.posts()).containsExactly("p8", "p7", "p6");
        likes.add("ann", "new");
        likes.remove("ann", "p6");
        likes.remove("ann", "p4");
        likes.add("ann", "p7");
        Page second = likes.posts("ann", first.older().orElseThrow(), 3);
        assertThat(second.posts()).containsExactly("p5", "p3", "p2");
        assertThat(likes.posts("ann", second.older().orElseThrow(), 3).posts()).containsExactly("p1", "p0");
    }

    /** A user has one choice of several, and a change is one step. */
    public void exclusive() {
        assertThat(votes.choose("ann", "p", "up")).isTrue();
        assertThat(votes.choose("ann", "p", "up")).isFalse();
        assertThat(votes.choose(Map.of(new Reaction("ben", "p"), "up", new Reaction("ann", "p"), "down")))
                .containsExactlyInAnyOrder(new Reaction("ben", "p"), new Reaction("ann", "p"));
        assertThat(votes.get(List.of("p", "q"))).containsExactly(Map.of("up", 1L, "down", 1L), Map.of());
        assertThat(votes.chosen("ann", List.of("q", "p"))).isEqualTo(Map.of("p", "down"));
        assertThat(votes.newest("p", "up", 5)).isEqualTo(new Newest(List.of("ben"), true));
        assertThat(votes.newest("p", "down", 5)).isEqualTo(new Newest(List.of("ann"), true));
        likes.add("ann", "p");
        assertThat(count("p")).isOne();
        votes.choose("ann", "q", "up");
        assertThat(votes.posts("ann", 5).posts()).containsExactly("q", "p");
        assertThat(votes.remove("ann", "p")).isTrue();
        assertThat(votes.remove("ann", "p")).isFalse();
        assertThat(votes.get(List.of("p"))).containsExactly(Map.of("up", 1L));
        votes.forgetPost("p");
        assertThat(votes.get(List.of("p"))).containsExactly(Map.of());
        assertThat(votes.choose("ben", "p", "down")).isTrue();
        assertThat(votes.get(List.of("p"))).containsExactly(Map.of("down", 1L));
        votes.forget("ben");
        assertThat(votes.get(List.of("p", "q"))).containsExactly(Map.of(), Map.of("up", 1L));
        assertThat(count("p")).isOne();
    }

    /** Counts, lists and choices agree after concurrent changes. */
    public void together(int rounds) {
        for (int round = 0; round < rounds; round++) {
            int seed = round * threads;
            Race.run(threads, thread -> {
                Random random = new Random(seed + thread);
                String user = USERS.get(random.nextInt(USERS.size()));
                switch (random.nextInt(4)) {
                    case 0 -> votes.remove(user, "p");
                    case 1 -> likes.remove(user, "p");
                    case 2 -> likes.add(user, "p");
                    default -> votes.choose(user, "p", CHOICES.get(random.nextInt(CHOICES.size())));
                }
                return thread;
            });
            List<String> liking = USERS.stream()
                    .filter(user -> !likes.reacted(user, List.of("p")).isEmpty())
                    .toList();
            assertThat(count("p")).as("likes after round %d", round).isEqualTo(liking.size());
            Newest newest = likes.newest("p", 10);
            assertThat(newest.users()).containsExactlyInAnyOrderElementsOf(liking);
            assertThat(newest.complete()).isTrue();
            Map<String, Long> counts = new HashMap<>();
            USERS.forEach(user ->
                    votes.chosen(user, List.of("p")).values().forEach(choice -> counts.merge(choice, 1L, Long::sum)));
            assertThat(votes.get(List.of("p")).get(0))
                    .as("votes after round %d", round)
                    .isEqualTo(counts);
        }
    }
}
