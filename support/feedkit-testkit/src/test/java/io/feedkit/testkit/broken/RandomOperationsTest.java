package io.feedkit.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The random operations of the inbox kit find faults by themselves, and tell how to see them again. */
class RandomOperationsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Inboxes: trims without raising the floor",
                "Inboxes: inserts below the floor",
                "Inboxes: calls a present entry added",
                "Inboxes: lets a merge overwrite what was pushed",
                "Inboxes: merges for a stale builder",
                "Inboxes: renews the live window with pushes",
                "Inboxes: purges whatever the epoch",
                "Inboxes: ends a follow by any token",
                "Inboxes: uses a generation again"
            })
    @DisplayName("a fault is found, and shown by its seed and a short sequence")
    void found(String mutant) {
        List<String> messages =
                KitRun.of(Mutants.named(mutant), "RandomOperations.sameAsModel").messages();
        assertThat(messages).isNotEmpty().allSatisfy(message -> {
            assertThat(message).startsWith("seed ").contains("shortest failing sequence");
            assertThat(message.lines().filter(line -> line.startsWith("    "))).hasSizeBetween(1, 12);
        });
    }
}
