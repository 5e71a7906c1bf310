package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.web.Answers;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.web.BearerTokenAuthenticationEntryPoint;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import tools.jackson.databind.json.JsonMapper;

/** Two kinds of requests: forms of browsers, with sessions; and the API, with tokens and without cookies. */
@Configuration
class SecurityConfiguration {

    private static final String CONTENT_POLICY =
            "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

    @Bean
    static PasswordEncoder passwords() {
        return PasswordEncoderFactories.createDelegatingPasswordEncoder();
    }

    @Bean
    static AuthenticationManager logins(Users users, PasswordEncoder passwords) {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(users);
        provider.setPasswordEncoder(passwords);
        return new ProviderManager(provider);
    }

    /** Logging in and allowing an app. CSRF tokens are on by default. */
    @Bean
    @Order(1)
    static SecurityFilterChain forms(HttpSecurity http) {
        return http.securityMatcher("/oauth/authorize", "/login", "/logout", "/default-ui.css")
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .formLogin(Customizer.withDefaults())
                .headers(SecurityConfiguration::headers)
                .build();
    }

    /** Handlers decide which requests need a token: see {@link AccountArguments}. */
    @Bean
    @Order(2)
    static SecurityFilterChain api(HttpSecurity http, OpaqueTokenIntrospector introspector, JsonMapper json) {
        AuthenticationEntryPoint refusal = refusal(json);
        return http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                DispatcherType.ASYNC, DispatcherType.ERROR, DispatcherType.FORWARD)
                        .permitAll()
                        .requestMatchers("/actuator/health/**")
                        .permitAll()
                        .requestMatchers("/actuator/**")
                        .denyAll()
                        .anyRequest()
                        .permitAll())
                .csrf(CsrfConfigurer::disable) // no cookie counts here
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .cors(cors -> cors.configurationSource(origins()))
                .oauth2ResourceServer(tokens -> tokens.bearerTokenResolver(new StreamTokens())
                        .authenticationEntryPoint(refusal)
                        .opaqueToken(opaque -> opaque.introspector(introspector)))
                .exceptionHandling(failures -> failures.authenticationEntryPoint(refusal))
                .headers(SecurityConfiguration::headers)
                .build();
    }

    @Bean
    static OpaqueTokenIntrospector introspector(Tokens tokens) {
        return token -> tokens.find(token)
                .<OAuth2AuthenticatedPrincipal>map(holder -> holder)
                .orElseThrow(() -> new BadOpaqueTokenException("unknown"));
    }

    private static AuthenticationEntryPoint refusal(JsonMapper json) {
        BearerTokenAuthenticationEntryPoint standard = new BearerTokenAuthenticationEntryPoint();
        return (request, response, failure) -> {
            standard.commence(request, response, failure);
            Answers.error(response, HttpStatus.valueOf(response.getStatus()), "The access token is invalid", json);
        };
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.SAME_ORIGIN));
    }

    /** Clients in browsers may be anywhere, as there are no cookies to misuse. */
    private static UrlBasedCorsConfigurationSource origins() {
        CorsConfiguration everywhere = new CorsConfiguration();
        everywhere.setAllowedOrigins(List.of(CorsConfiguration.ALL));
        everywhere.setAllowedMethods(List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"));
        everywhere.setAllowedHeaders(List.of(CorsConfiguration.ALL));
        everywhere.setExposedHeaders(List.of(
                "Link", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-FeedKit", "Retry-After"));
        everywhere.setMaxAge(Duration.ofMinutes(10));
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/api/**", everywhere);
        source.registerCorsConfiguration("/oauth/token", everywhere);
        source.registerCorsConfiguration("/oauth/revoke", everywhere);
        return source;
    }
}
