package io.feedkit.examples.microblog.web;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bounds the requests of each token, of each address without a token, and of each address in all: a token may be made
 * up. Passwords may be tried less often.
 */
@Component
@ConditionalOnProperty(name = "microblog.rate-limit", havingValue = "on", matchIfMissing = true)
@Order(SecurityFilterProperties.DEFAULT_FILTER_ORDER - 1)
class RateLimit extends OncePerRequestFilter {

    static final int PER_TOKEN = 1_500;
    static final int PER_ADDRESS = 300;
    static final int LOGINS_PER_ADDRESS = 30;
    static final int ALL_OF_ADDRESS = 15_000;

    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final int MOST_CLIENTS = 100_000;

    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(MOST_CLIENTS)
            .expireAfterAccess(WINDOW)
            .build();
    private final JsonMapper json;

    RateLimit(JsonMapper json) {
        this.json = json;
    }

    private record Client(String key, int limit) {

        /** Who makes a request; the last one is shown in the answer. */
        static List<Client> of(HttpServletRequest request) {
            String path = request.getServletPath(); // decoded, as handlers are found by it
            String address = request.getRemoteAddr();
            boolean posts = request.getMethod().equals("POST");
            if (posts && (path.equals("/login") || path.equals("/oauth/token") || path.equals("/api/v1/accounts"))) {
                return List.of(new Client("login " + address, LOGINS_PER_ADDRESS));
            }
            boolean limited = path.startsWith("/api/") || path.startsWith("/oauth/");
            if (!limited || CorsUtils.isPreFlightRequest(request)) {
                return List.of();
            }
            String token = request.getHeader(HttpHeaders.AUTHORIZATION);
            return token == null
                    ? List.of(new Client("address " + address, PER_ADDRESS))
                    : List.of(new Client("all " + address, ALL_OF_ADDRESS), new Client("token " + token, PER_TOKEN));
        }

        Bucket bucket() {
            return Bucket.builder()
                    .addLimit(bandwidth -> bandwidth.capacity(limit).refillGreedy(limit, WINDOW))
                    .build();
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (Client.of(request).stream().allMatch(client -> allowed(client, response))) {
            chain.doFilter(request, response);
        } else {
            Answers.error(response, HttpStatus.TOO_MANY_REQUESTS, "Too many requests", json);
        }
    }

    private boolean allowed(Client client, HttpServletResponse response) {
        ConsumptionProbe probe =
                buckets.get(client.key(), missing -> client.bucket()).tryConsumeAndReturnRemaining(1);
        long reset = System.currentTimeMillis()
                + Duration.ofNanos(probe.getNanosToWaitForReset()).toMillis();
        response.setHeader("X-RateLimit-Limit", Integer.toString(client.limit()));
        response.setHeader("X-RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
        response.setHeader("X-RateLimit-Reset", ApiTime.of(reset));
        return probe.isConsumed();
    }
}
