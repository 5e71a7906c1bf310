package io.feedkit.spring.test;

import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.TestFeed;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** What {@link FeedKitTest} adds: a clock that stands still. */
@AutoConfiguration
class FeedKitTestConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SettableClock feedKitClock() {
        return SettableClock.startingAt(TestFeed.START);
    }
}
