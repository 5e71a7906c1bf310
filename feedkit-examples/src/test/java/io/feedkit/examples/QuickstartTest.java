package io.feedkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@DisplayName("The quickstart")
class QuickstartTest {

    @RepeatedTest(5)
    @DisplayName("shows every step with its real result, the same on every run")
    void steps() {
        Cli run = Cli.run("quickstart");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsSubsequence(
                        "newest page ben/105 cleo/104",
                        "older page ben/103 cleo/102",
                        "older page ben/101",
                        "newer page cleo/106",
                        "unread: 6",
                        "unread after Ann has seen them: 0",
                        "unread after Ben posts 107: 1",
                        "before ben/107 cleo/106 ben/105 cleo/104 ben/103 cleo/102 ben/101",
                        "after ben/107 cleo/106 cleo/104 ben/103 cleo/102 ben/101",
                        "It is gone for good. Publishing it again returns DELETED.",
                        "with Dora dora/109 dora/108 ben/107 cleo/106 cleo/104 ben/103 cleo/102 ben/101",
                        "without Cleo dora/109 dora/108 ben/107 ben/103 ben/101",
                        "under push dora/109 dora/108 ben/107 ben/103 ben/101",
                        "under pull dora/109 dora/108 ben/107 ben/103 ben/101",
                        "The feed is the same.",
                        "110 was pulled dora/110 dora/109 dora/108 ben/107 ben/103 ben/101",
                        "111 was pushed ben/111 dora/110 dora/109 dora/108 ben/107 ben/103 ben/101");
    }

    @Test
    @DisplayName("fits on a screen")
    void fits() {
        assertThat(Cli.run("quickstart").out().lines())
                .hasSizeLessThan(60)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(90));
    }
}
