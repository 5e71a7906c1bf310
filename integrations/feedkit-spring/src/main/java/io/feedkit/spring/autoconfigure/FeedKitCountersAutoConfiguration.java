package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.counter.Counters;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.internal.store.CounterStores;
import io.feedkit.spring.internal.store.Database;
import io.feedkit.spring.internal.store.RedisBackend;
import io.feedkit.spring.internal.store.StoreParts;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Badges;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Unread counters, counters and reactions. They are created, and their store is opened, when a bean first needs them.
 *
 * @since 0.1.0
 */
@Beta
@Lazy
@AutoConfiguration(after = FeedKitStoreAutoConfiguration.class)
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitCountersAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitCountersAutoConfiguration() {}

    /** Is created at once: a wrong property stops the start, not the first use of a counter. */
    @Bean
    @Lazy(false)
    CounterStores feedKitCounterStores(
            FeedKitProperties properties,
            Database database,
            ObjectProvider<StoreParts> parts,
            ObjectProvider<FeedStore> stores,
            ObjectProvider<RedisBackend> redis) {
        Optional<BooleanSupplier> ownStoreInSql = parts.stream().findAny().isPresent()
                ? Optional.empty()
                : Optional.of(() -> Database.isOf(stores.getIfUnique()));
        return new CounterStores(properties, database, redis.getIfAvailable(), ownStoreInSql);
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    CounterStore feedKitCounterStore(CounterStores stores) {
        return stores.open();
    }

    @Bean
    @ConditionalOnMissingBean
    FeedCounters feedKitAllCounters(CounterStore store) {
        return FeedCounters.of(store);
    }

    @Bean
    @ConditionalOnMissingBean
    UnreadCounter feedKitUnreadCounter(FeedCounters counters) {
        return counters.unread();
    }

    @Bean
    @ConditionalOnMissingBean
    Conversations feedKitConversations(FeedCounters counters) {
        return counters.conversations();
    }

    @Bean
    @ConditionalOnMissingBean
    Announcements feedKitAnnouncements(FeedCounters counters) {
        return counters.announcements();
    }

    @Bean
    @ConditionalOnMissingBean
    RedDots feedKitRedDots(FeedCounters counters) {
        return counters.redDots();
    }

    @Bean
    @ConditionalOnMissingBean
    Badges feedKitBadges(FeedCounters counters) {
        return counters.badges();
    }

    @Bean
    @ConditionalOnMissingBean
    Counters feedKitCounters(FeedCounters counters) {
        return counters.plain();
    }

    @Bean
    @ConditionalOnMissingBean
    Reactions feedKitReactions(FeedCounters counters) {
        return counters.likes();
    }
}
