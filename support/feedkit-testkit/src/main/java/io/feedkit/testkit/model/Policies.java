package io.feedkit.testkit.model;

import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The policies that a run switches between. */
enum Policies {
    PUSH,
    PULL,
    HYBRID_2,
    HYBRID_3,
    ACTIVE_1,
    ACTIVE_3,
    ONLINE,
    ONLINE_3,
    SHEDDING,
    RANDOM;

    FanoutPolicy policy() {
        return switch (this) {
            case PUSH -> FanoutPolicy.push();
            case PULL -> FanoutPolicy.pull();
            case HYBRID_2 -> FanoutPolicy.hybrid(2);
            case HYBRID_3 -> FanoutPolicy.hybrid(3);
            case ACTIVE_1 -> FanoutPolicy.active(1);
            case ACTIVE_3 -> FanoutPolicy.active(3);
            case ONLINE -> FanoutPolicy.online(FanoutPolicy.push());
            case ONLINE_3 -> FanoutPolicy.online(FanoutPolicy.hybrid(3));
            case SHEDDING -> FanoutPolicy.shedding(FanoutPolicy.push(), Duration.ofSeconds(1));
            case RANDOM -> random();
        };
    }

    private static FanoutPolicy random() {
        Random random = new Random(7);
        List<FanoutMode> modes = List.of(FanoutMode.values());
        return author -> modes.get(random.nextInt(modes.size()));
    }
}
