package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.TestFeed;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.FaultyFeedStore;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide to testing shows, between "guide" and "end"; the rest is in {@link OwnGraphGuideTest}. */
@DisplayName("The guide to testing")
class TestingGuideTest {

    // guide
    @RegisterExtension
    final TestFeed feed = TestFeed.inMemory();

    @Test
    void shows() {
        feed.engine().follow("ann", "bob");
        feed.engine().publish("bob", "post-1");
        feed.drain(); // delivers
        assertThat(feed.engine().read("ann", PageRequest.first(20)).items()).hasSize(1);
    }

    @Test
    void comesBack(FeedEngine engine, SettableClock clock) { // as parameters
        engine.follow("ann", "bob");
        engine.read("ann", PageRequest.first(20));
        clock.advance(Duration.ofDays(30)); // Ann's inbox expires
        engine.publish("bob", "post-1");
        assertThat(engine.read("ann", PageRequest.first(20)).items()).hasSize(1);
    }

    @Test
    void failsWhileTheStoreIsDown() {
        FaultyFeedStore store = FaultyFeedStore.around(feed.store());
        try (FeedEngine engine =
                FeedEngine.builder(store).clock(feed.clock()).workers(0).build()) {
            store.failNext("outbox.append", 1, Fault.FAIL_BEFORE);
            assertThatThrownBy(() -> engine.publish("bob", "post-1")).isInstanceOf(StoreUnavailableException.class);
        }
    }
    // end

    @Test
    @DisplayName("shows what is tested here")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("testing.md", "TestingGuideTest", "OwnGraphGuideTest");
    }
}
