package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testkit.internal.NullArguments;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of the stores in Redis")
    void redis() {
        RedisServers nowhere = RedisServers.at("redis://127.0.0.1:1");
        try (RedisInboxes inboxes =
                        RedisInboxes.builder(nowhere).startWithoutServer(true).build();
                RedisLiveBus bus = RedisLiveBus.create(nowhere)) {
            NullArguments redis = NullArguments.ofModuleOf(RedisFeedStore.class)
                    .with(RedisServers.class, () -> nowhere)
                    .with(RedisInboxes.class, () -> inboxes)
                    .with(RedisLiveBus.class, () -> bus)
                    // Its stores need a source of truth in SQL: see InTransactionBehindTest in feedkit-tools.
                    .except(method -> method.getDeclaringClass() == WriteBehindCounterStore.class
                            && method.getName().equals("in"));
            assertThat(redis.violations()).isEmpty();
            assertThat(redis.checked()).isGreaterThan(15);
        }
    }
}
