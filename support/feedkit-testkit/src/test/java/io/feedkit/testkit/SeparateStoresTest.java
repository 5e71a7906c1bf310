package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Separate stores")
class SeparateStoresTest {

    @Test
    @DisplayName("81: two stores never see each other's data, and forgetting in one leaves the other")
    void separate() {
        try (FeedEngine one = FeedEngine.inMemory().workers(0).build();
                FeedEngine two = FeedEngine.inMemory().workers(0).build()) {
            one.follow("ann", "bob");
            two.follow("ann", "bob");
            one.publish("bob", "in-one");
            two.publish("bob", "in-two");
            one.fanout().drain();
            two.fanout().drain();
            assertThat(one.read("ann", PageRequest.first(9)).items())
                    .singleElement()
                    .satisfies(post -> assertThat(post.id()).isEqualTo("in-one"));
            one.forget("bob");
            one.forget("ann");
            assertThat(two.read("ann", PageRequest.first(9)).items())
                    .singleElement()
                    .satisfies(post -> assertThat(post.id()).isEqualTo("in-two"));
        }
    }
}
