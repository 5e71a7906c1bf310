package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.internal.web.CursorConverter;
import io.feedkit.spring.internal.web.FeedKitProblems;
import io.feedkit.spring.internal.web.PageParameters;
import io.feedkit.spring.internal.web.ReactivePageBodies;
import io.feedkit.spring.internal.web.ReactivePageRequests;
import io.feedkit.spring.web.ReactiveLiveStreams;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.ResponseBodyResultHandler;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityResultHandler;

/**
 * Arguments, answers and errors of handlers in WebFlux, and {@link ReactiveLiveStreams}. The engine blocks: handlers
 * call it on virtual threads, or on a scheduler for blocking calls.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
        after = FeedKitAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration",
            "org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitWebFluxAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitWebFluxAutoConfiguration() {}

    @Bean
    CursorConverter feedKitCursorConverter() {
        return new CursorConverter();
    }

    @Bean
    WebFluxConfigurer feedKitWebFlux(FeedKitProperties properties) {
        ReactivePageRequests requests = new ReactivePageRequests(new PageParameters(properties));
        return new WebFluxConfigurer() {
            @Override
            public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
                configurer.addCustomResolver(requests);
            }
        };
    }

    @Bean
    @ConditionalOnBean({ResponseBodyResultHandler.class, ResponseEntityResultHandler.class})
    ReactivePageBodies feedKitPageBodies(ResponseBodyResultHandler bodies, ResponseEntityResultHandler entities) {
        return new ReactivePageBodies(bodies, entities);
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "feedkit.web.problem-details", matchIfMissing = true)
    FeedKitProblems feedKitProblems(FeedKitProperties properties) {
        return new FeedKitProblems(properties);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(FeedEngine.class)
    ReactiveLiveStreams feedKitLiveStreams(FeedEngine feed) {
        return new ReactiveLiveStreams(feed);
    }
}
