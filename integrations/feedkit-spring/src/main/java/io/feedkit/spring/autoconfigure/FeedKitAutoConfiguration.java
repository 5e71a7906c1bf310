package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.PostFilter;
import io.feedkit.PublishTransaction;
import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveBus;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.PostEventSink;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spring.FeedEngineCustomizer;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.internal.engine.EngineBeans;
import io.feedkit.spring.internal.engine.EngineFactory;
import io.feedkit.spring.internal.engine.EngineLifecycle;
import io.feedkit.spring.internal.engine.EnginePolicies;
import io.feedkit.spring.internal.settings.FanoutPolicyConverter;
import java.time.Clock;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The {@link FeedEngine}, of the store and of the beans that the application defines: {@link FanoutPolicy},
 * {@link PostFilter}, {@link FeedListener}s, {@link PostEventSink}, {@link FanoutQueue}, {@link LiveBus},
 * {@link PresenceStore}, {@link PostArchive}, {@link PublishTransaction.Current}, {@link FollowGraph}, a {@link Clock}
 * and {@link FeedEngineCustomizer}s.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(after = FeedKitStoreAutoConfiguration.class)
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitAutoConfiguration() {}

    @Bean
    @ConfigurationPropertiesBinding
    static FanoutPolicyConverter feedKitFanoutPolicyConverter() {
        return new FanoutPolicyConverter();
    }

    @Bean
    @ConditionalOnMissingBean
    FeedEngine feedKitEngine(
            FeedStore store,
            FeedKitProperties properties,
            ListableBeanFactory all,
            ObjectProvider<PostFilter> filter,
            ObjectProvider<FeedListener> listeners,
            ObjectProvider<PostEventSink> postEvents,
            ObjectProvider<FanoutQueue> queue,
            ObjectProvider<LiveBus> bus,
            ObjectProvider<PresenceStore> presence,
            ObjectProvider<PostArchive> archive,
            ObjectProvider<InboxCopies> copies,
            ObjectProvider<PublishTransaction.Current> transactions,
            ObjectProvider<Clock> clock,
            ObjectProvider<FeedEngineCustomizer> customizers) {
        EngineBeans beans = new EngineBeans(
                EnginePolicies.of(properties, all),
                filter,
                listeners,
                postEvents,
                queue,
                bus,
                presence,
                archive,
                copies,
                transactions,
                clock,
                customizers);
        return new EngineFactory(properties, beans, all).build(store);
    }

    @Bean
    @ConditionalOnSingleCandidate(FeedEngine.class)
    EngineLifecycle feedKitEngineLifecycle(FeedEngine feed) {
        return new EngineLifecycle(feed);
    }
}
