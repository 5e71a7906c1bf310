package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.internal.web.CursorConverter;
import io.feedkit.spring.internal.web.FeedKitProblems;
import io.feedkit.spring.internal.web.PageParameters;
import io.feedkit.spring.internal.web.ServletPageBodies;
import io.feedkit.spring.internal.web.ServletPageRequests;
import io.feedkit.spring.web.LiveStreams;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Arguments, answers and errors of handlers in Spring MVC, and {@link LiveStreams}.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(after = FeedKitAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(WebMvcConfigurer.class)
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitWebMvcAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitWebMvcAutoConfiguration() {}

    @Bean
    CursorConverter feedKitCursorConverter() {
        return new CursorConverter();
    }

    @Bean
    WebMvcConfigurer feedKitWebMvc(FeedKitProperties properties) {
        ServletPageRequests requests = new ServletPageRequests(new PageParameters(properties));
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(requests);
            }
        };
    }

    @Bean
    ServletPageBodies feedKitPageBodies() {
        return new ServletPageBodies();
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "feedkit.web.problem-details", matchIfMissing = true)
    FeedKitProblems feedKitProblems(FeedKitProperties properties) {
        return new FeedKitProblems(properties);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(FeedEngine.class)
    LiveStreams feedKitLiveStreams(FeedEngine feed) {
        return new LiveStreams(feed);
    }
}
