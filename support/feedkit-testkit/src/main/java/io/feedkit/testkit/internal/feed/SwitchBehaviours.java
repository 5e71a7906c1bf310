package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One policy for all engines of a store. */
public abstract class SwitchBehaviours extends FeedRules {

    private static final String CALM = "calm";

    private final List<FanoutMode> modes = new ArrayList<>();
    private int published;

    protected SwitchBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private FeedEngineBuilder listened() {
        return builder(Policy.PUSH).listener(new FeedListener() {
            @Override
            public void published(PostPublished event) {
                modes.add(event.mode());
            }
        });
    }

    private FeedEngine knowing() {
        return open(listened().namedPolicy(CALM, FanoutPolicy.pull()));
    }

    private FanoutMode modeOf(FeedEngine engine) {
        modes.clear();
        publish(engine, post(BOB, ++published));
        assertThat(modes).hasSize(1);
        return modes.get(0);
    }

    @Test
    @DisplayName(
            "all engines use the policy that one engine switched to, also one that starts later, until the switch is"
                    + " ended")
    void all() {
        FeedEngine one = knowing();
        FeedEngine other = knowing();
        assertThat(modeOf(other)).isEqualTo(FanoutMode.PUSH);
        one.usePolicyOnAllEngines(CALM);
        assertThat(modeOf(one)).isEqualTo(FanoutMode.PULL);
        assertThat(modeOf(other)).isEqualTo(FanoutMode.PULL);
        assertThat(modeOf(knowing())).isEqualTo(FanoutMode.PULL);
        other.usePolicy(FanoutPolicy.push());
        assertThat(modeOf(other)).isEqualTo(FanoutMode.PULL);
        other.useOwnPolicyOnAllEngines();
        other.useOwnPolicyOnAllEngines();
        assertThat(modeOf(other)).isEqualTo(FanoutMode.PUSH);
        assertThat(modeOf(one)).isEqualTo(FanoutMode.PUSH);
        assertThat(modeOf(knowing())).isEqualTo(FanoutMode.PUSH);
    }

    @Test
    @DisplayName("an engine that does not know the policy keeps its own, and cannot switch to it")
    void unknown() {
        FeedEngine plain = open(listened());
        FeedEngine other = open(listened().namedPolicy("other", FanoutPolicy.pull()));
        knowing().usePolicyOnAllEngines(CALM);
        assertThat(modeOf(plain)).isEqualTo(FanoutMode.PUSH);
        assertThat(modeOf(other)).isEqualTo(FanoutMode.PUSH);
        assertThatThrownBy(() -> other.usePolicyOnAllEngines(CALM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("[other]", CALM);
        assertThatThrownBy(
                        () -> listened().namedPolicy(CALM, FanoutPolicy.push()).namedPolicy(CALM, FanoutPolicy.pull()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("while the policy's name cannot be read, an engine keeps its present policy")
    void unreachable() {
        FeedEngine engine = knowing();
        engine.usePolicyOnAllEngines(CALM);
        assertThat(modeOf(engine)).isEqualTo(FanoutMode.PULL);
        store.before("fanout.policyInUse", () -> {
            throw new StoreUnavailableException("fanout.policyInUse", null);
        });
        assertThat(modeOf(engine)).isEqualTo(FanoutMode.PULL);
        engine.useOwnPolicyOnAllEngines();
    }
}
