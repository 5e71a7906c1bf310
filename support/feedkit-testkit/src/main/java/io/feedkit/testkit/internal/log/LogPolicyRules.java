package io.feedkit.testkit.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.outbox.OutboxKit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The name of the policy that all engines use. */
public abstract class LogPolicyRules extends LogRules {

    private static final String LONGEST = "~".repeat(64);

    protected LogPolicyRules(OutboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("all engines see the name that was set last, until it is cleared")
    void names() {
        log.usePolicy("");
        assertThat(log.policyInUse()).isEmpty();
        for (String name : List.of("calm", "calm", LONGEST, "x'y\"z{}")) {
            log.usePolicy(name);
            assertThat(log.policyInUse()).isEqualTo(name);
            assertThat(kit.anotherLog().policyInUse()).isEqualTo(name);
        }
        kit.anotherLog().usePolicy("");
        assertThat(log.policyInUse()).isEmpty();
    }

    @Test
    @DisplayName("if several names are set at once, all engines see the same one")
    void atOnce() {
        for (int round = 0; round < 5; round++) {
            Race.run(4, thread -> {
                log.usePolicy("policy-" + thread);
                return true;
            });
            assertThat(log.policyInUse())
                    .startsWith("policy-")
                    .isEqualTo(kit.anotherLog().policyInUse());
        }
        log.usePolicy("");
    }
}
