package io.feedkit.testkit.internal.interleaving;

import io.feedkit.FeedEngine;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A walk down a feed during changes by another engine, between any two pages, and within any page at each call to the
 * store. Every post that was there when the walk began, and still is at its end, must be shown exactly once, in order.
 * Changes by the walking engine itself are not part of the kit: they concern only the engine's caches, which are the
 * same on every store.
 */
public abstract class WalkInterleavings extends InterruptedWalks {

    protected WalkInterleavings(FeedStoreKit kit) {
        super(kit);
    }

    /** Every event, under one of the policies; authors who grow or shrink, under the policies that depend on it. */
    static Stream<Arguments> sample() {
        return walks().filter(WalkInterleavings::isFirst);
    }

    /** The events under the other policies. */
    static Stream<Arguments> again() {
        return walks().filter(arguments -> !isFirst(arguments));
    }

    private static boolean isFirst(Arguments arguments) {
        List<Policy> policies = List.of(Policy.values());
        int event = List.of(Event.values()).indexOf(arguments.get()[1]);
        return policies.indexOf(arguments.get()[0]) == (event + 2) % policies.size();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("sample")
    @DisplayName(
            "a walk shows each post that was there at its beginning exactly once, whatever another engine does at some"
                    + " of its calls")
    void downwardsAtSomeCalls(Policy policy, Event event) {
        onTwoEngines(policy, event, WalkInterleavings::down, calls -> someCalls(calls, policy, event));
    }

    @Exhaustive
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("sample")
    @DisplayName(
            "a walk shows each post that was there at its beginning exactly once, whatever another engine does at any"
                    + " call")
    void downwards(Policy policy, Event event) {
        onTwoEngines(policy, event, WalkInterleavings::down, FeedRules::everyCall);
    }

    @Exhaustive
    @Tag(Exhaustive.ENGINE)
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("again")
    @DisplayName("a walk shows each post that was there at its beginning exactly once, under the other policies")
    void downwardsUnderOtherPolicies(Policy policy, Event event) {
        onTwoEngines(policy, event, WalkInterleavings::down, FeedRules::everyCall);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("sample")
    @DisplayName("a walk upwards misses no post that was there, whatever another engine does at some of its calls")
    void upwardsAtSomeCalls(Policy policy, Event event) {
        onTwoEngines(policy, event, up(), calls -> someCalls(calls, event, policy));
    }

    @Exhaustive
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("sample")
    @DisplayName("a walk upwards misses no post that was there, whatever another engine does at any call")
    void upwards(Policy policy, Event event) {
        onTwoEngines(policy, event, up(), FeedRules::everyCall);
    }

    @Exhaustive
    @Tag(Exhaustive.ENGINE)
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("again")
    @DisplayName("a walk upwards misses no post that was there, under the other policies")
    void upwardsUnderOtherPolicies(Policy policy, Event event) {
        onTwoEngines(policy, event, up(), FeedRules::everyCall);
    }

    /**
     * Interrupts before each call only. The engines share nothing but the store, so the place after the previous call
     * is equivalent.
     */
    private void onTwoEngines(Policy policy, Event event, WholeWalk walk, IntFunction<List<Integer>> interruptedCalls) {
        FeedEngine walker = engine(policy, CAP);
        FeedEngine other = engine(policy, CAP);
        Uninterrupted alone = uninterrupted(event, walker, other, walk);
        interruptEach(
                interruptedCalls.apply(alone.calls()),
                alone.calls(),
                alone.unchangedReads(),
                count -> prepare(walker, count),
                (call, scene) -> {
                    other.usePolicy(policy.fanout());
                    return interrupted(event, walker, other, walk, scene, Place.BEFORE, call);
                });
    }
}
