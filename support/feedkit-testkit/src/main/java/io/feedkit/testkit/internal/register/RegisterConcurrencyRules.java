package io.feedkit.testkit.internal.register;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.RegisterAsker;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Entries widen and leave atomically, and updates miss no change. */
@Tag("concurrency")
public abstract class RegisterConcurrencyRules extends RegisterRules {

    protected RegisterConcurrencyRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("an entry covers all concurrent puts for its author")
    void racingPuts() {
        List<Post> posts = posts("bob", 100);
        Race.run(kit.threads(), thread -> {
            shuffled(posts, thread).stream()
                    .filter(post -> Math.floorMod(post.id().hashCode(), kit.threads()) == thread)
                    .forEach(post -> register.put(List.of(post)));
            return true;
        });
        assertCovers(entry("bob"), posts);
    }

    @Test
    @DisplayName("a removal during a put never removes the put")
    void removeAndPut() {
        for (int round = 0; round < kit.rounds(); round++) {
            String author = "author-" + round;
            register.put(List.of(post(author, 1)));
            long version = entry(author).version();
            List<Boolean> results = Race.run(2, thread -> {
                if (thread == 0) {
                    return register.remove(author, version);
                }
                register.put(List.of(post(author, 2)));
                return true;
            });
            boolean removed = results.get(0);
            assertCovers(entry(author), removed ? List.of(post(author, 2)) : posts(author, 2));
        }
    }

    @Test
    @DisplayName("if many threads remove one version at once, one succeeds")
    void racingRemovals() {
        for (int round = 0; round < kit.rounds(); round++) {
            register.put(List.of(post("bob", 1)));
            long version = entry("bob").version();
            assertThat(Race.run(kit.threads(), thread -> register.remove("bob", version)))
                    .containsOnlyOnce(true);
            assertThat(pulled()).isEmpty();
        }
    }

    @Test
    @DisplayName("after retractions begin and end concurrently, exactly the unfinished ones are left")
    void racingRetractions() {
        outbox.publish(posts("bob", 80));
        Race.run(kit.threads(), thread -> {
            for (int n = 1; n <= 80; n++) {
                PostKey key = post("bob", n).key();
                if (n % kit.threads() == thread) {
                    outbox.delete(key);
                    if (n <= 40) {
                        register.retracted(List.of(key));
                    }
                }
            }
            return true;
        });
        assertThat(RegisterSnapshot.of(register).retracting())
                .containsExactlyInAnyOrderElementsOf(
                        posts("bob", 80).subList(40, 80).stream().map(Post::key).toList());
    }

    @Test
    @DisplayName("an update has every change that returned before the update was requested, and at the end no change is"
            + " missing")
    void nothingMissed() {
        int steps = 2 * kit.rounds();
        Queue<Fact> facts = new ConcurrentLinkedQueue<>();
        List<String> some = IntStream.range(0, steps)
                .filter(step -> step % 3 == 0)
                .boxed()
                .flatMap(step -> Stream.of("a0-" + step, "a1-" + step, "b0-" + step, "b1-" + step))
                .toList();
        List<RegisterAsker> askers = List.of(RegisterAsker.ofAll(register), RegisterAsker.of(register, some));
        AtomicInteger writing = new AtomicInteger(2);
        Race.run(4, thread -> {
            if (thread >= 2) {
                RegisterAsker asker = askers.get(thread - 2);
                while (writing.get() > 0) {
                    assertKnown(List.copyOf(facts), asker);
                }
                return true;
            }
            try {
                for (int step = 0; step < steps; step++) {
                    change(thread + "-" + step, step % 2 == 1, facts);
                }
            } finally {
                writing.decrementAndGet();
            }
            return true;
        });
        for (RegisterAsker asker : askers) {
            assertKnown(List.copyOf(facts), asker);
            assertThat(asker.believed()).isEqualTo(asker.wanted());
        }
        assertThat(pulled()).hasSize(steps);
    }

    /** A fact about the register that stays true, because no thread changes it again. */
    private record Fact(String author, String what, Predicate<RegisterSnapshot> holds) {
        @Override
        public String toString() {
            return author + " " + what;
        }
    }

    /** Makes changes, and records each fact as soon as its change has returned. */
    private void change(String name, boolean undone, Queue<Fact> facts) {
        String unpushed = "a" + name;
        String deleting = "b" + name;
        PostKey key = post(deleting, 1).key();
        outbox.publish(post(deleting, 1));
        register.put(List.of(post(unpushed, 1)));
        outbox.delete(key);
        if (undone) {
            register.remove(unpushed, entry(unpushed).version());
            facts.add(new Fact(unpushed, "was removed", now -> !now.pulled().containsKey(unpushed)));
            register.retracted(List.of(key));
            facts.add(
                    new Fact(deleting, "was retracted", now -> !now.retracting().contains(key)));
        } else {
            facts.add(new Fact(unpushed, "was entered", now -> now.pulled().containsKey(unpushed)));
            facts.add(new Fact(
                    deleting, "is being retracted", now -> now.retracting().contains(key)));
        }
    }

    private static void assertKnown(List<Fact> facts, RegisterAsker asker) {
        asker.ask();
        RegisterSnapshot believed = asker.believed();
        assertThat(facts)
                .filteredOn(fact -> asker.isWanted(fact.author()))
                .as("facts that an update missed")
                .allMatch(fact -> fact.holds().test(believed));
    }
}
