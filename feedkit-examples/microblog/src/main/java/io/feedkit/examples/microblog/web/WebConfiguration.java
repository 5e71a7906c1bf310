package io.feedkit.examples.microblog.web;

import java.time.Clock;
import java.util.List;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/** How requests come to handlers. */
@Configuration
class WebConfiguration implements WebMvcConfigurer {

    private static final int BEFORE_SECURITY = SecurityFilterProperties.DEFAULT_FILTER_ORDER - 1;

    private final JsonMapper json;

    WebConfiguration(JsonMapper json) {
        this.json = json;
    }

    @Bean
    static Clock clock() {
        return Clock.systemUTC();
    }

    /** Some clients ask for {@code /api/v1/instance/}. */
    @Bean
    static FilterRegistrationBean<UrlHandlerFilter> trailingSlashes() {
        UrlHandlerFilter filter = UrlHandlerFilter.trailingSlashHandler("/api/**", "/oauth/**")
                .wrapRequest()
                .build();
        FilterRegistrationBean<UrlHandlerFilter> bean = new FilterRegistrationBean<>(filter);
        bean.setOrder(BEFORE_SECURITY - 2);
        return bean;
    }

    @Bean
    static FilterRegistrationBean<BodyLimit> bodyLimit(JsonMapper json) {
        FilterRegistrationBean<BodyLimit> bean = new FilterRegistrationBean<>(new BodyLimit(json));
        bean.setOrder(BEFORE_SECURITY - 1);
        return bean;
    }

    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectorErrors() {
        return factory -> factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ConnectorErrors()));
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new PageBoundsResolver());
    }

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.addCustomConverter(new FormBodies(json));
    }

    /** The addresses of accounts are pages too. */
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/@{name}").setViewName("forward:/index.html");
    }
}
