package io.feedkit.testkit.internal.register;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.Kit;
import io.feedkit.testkit.internal.RegisterAsker;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.internal.outbox.OutboxDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Random changes of a register, and several askers for updates, each with its own timing. */
final class RegisterHistory {

    private static final List<String> AUTHORS = List.of("amy", "bob", "cid", "dan", "eve");
    private static final int MOST_ASKERS = 12;

    private final Kit kit;
    private final OutboxDriver outbox;
    private final PulledRegister register;
    private final int seed;
    private final Random random;
    private final List<RegisterAsker> askers = new ArrayList<>();
    private int posts;

    RegisterHistory(Kit kit, OutboxDriver outbox, int seed) {
        this.kit = kit;
        this.outbox = outbox;
        this.register = outbox.register();
        this.seed = seed;
        this.random = new Random(seed);
        askers.add(RegisterAsker.ofAll(register));
        askers.add(RegisterAsker.of(register, List.of("amy", "dan", "zoe")));
    }

    /** Does random steps. At the end all askers ask. */
    void run(int steps) {
        for (int step = 1; step <= steps; step++) {
            if (random.nextInt(3) == 0) {
                ask(anyOf(askers), step);
            } else {
                change();
            }
        }
        askers.forEach(asker -> ask(asker, steps));
    }

    private void ask(RegisterAsker asker, int step) {
        if (askers.size() < MOST_ASKERS && random.nextInt(4) == 0) {
            askers.add(asker.copy());
        }
        asker.ask();
        assertThat(asker.believed())
                .as("an asker's copy of the register, with seed %s at step %s", seed, step)
                .isEqualTo(asker.wanted());
    }

    private void change() {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> register.put(List.of(anyPost()));
            case 3 ->
                register.put(Stream.generate(this::anyPost)
                        .limit(1 + random.nextInt(4))
                        .toList());
            case 4, 5 -> remove();
            case 6, 7 -> delete();
            case 8 -> retract();
            default -> pass();
        }
    }

    private Post anyPost() {
        return Samples.post(anyOf(AUTHORS), random.nextInt(1000));
    }

    private void remove() {
        Map<String, Entry> sorted = new TreeMap<>(RegisterSnapshot.of(register).pulled());
        List<Map.Entry<String, Entry>> pulled = List.copyOf(sorted.entrySet());
        if (!pulled.isEmpty()) {
            Map.Entry<String, Entry> any = anyOf(pulled);
            assertThat(register.remove(any.getKey(), any.getValue().version())).isTrue();
        }
    }

    private void delete() {
        String id = seed + "-" + ++posts;
        Post post = Post.of(anyOf(AUTHORS), id, Samples.EPOCH + posts);
        outbox.publish(post);
        outbox.delete(post.key());
    }

    private void retract() {
        List<PostKey> retracting = RegisterSnapshot.of(register).retracting().stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList();
        if (!retracting.isEmpty()) {
            register.retracted(List.of(anyOf(retracting), anyOf(retracting)));
        }
    }

    private void pass() {
        if (kit.waits()) {
            kit.tick();
        } else {
            kit.pass(Duration.ofSeconds(random.nextInt(40)));
        }
    }

    private <T> T anyOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
