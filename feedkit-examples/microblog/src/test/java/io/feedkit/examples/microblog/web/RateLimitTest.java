package io.feedkit.examples.microblog.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("Rate limits")
class RateLimitTest {

    private final RateLimit limit = new RateLimit(JsonMapper.shared());

    private MockHttpServletResponse request(String method, String path, String token) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setServletPath(URLDecoder.decode(path, StandardCharsets.UTF_8)); // as containers do
        if (!token.isEmpty()) {
            request.addHeader("Authorization", "Bearer " + token);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        limit.doFilter(request, response, new MockFilterChain());
        return response;
    }

    @Test
    @DisplayName("stop an address, but not a token from there")
    void address() throws Exception {
        for (int i = 1; i <= RateLimit.PER_ADDRESS; i++) {
            MockHttpServletResponse answer = request("GET", "/api/v1/instance", "");
            assertThat(answer.getStatus()).isEqualTo(200);
            assertThat(answer.getHeader("X-RateLimit-Limit")).isEqualTo("300");
        }
        MockHttpServletResponse refused = request("GET", "/api/v1/instance", "");
        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.getContentAsString()).isEqualTo("{\"error\":\"Too many requests\"}");
        assertThat(refused.getHeader("X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(refused.getHeader("X-RateLimit-Reset")).matches("\\S+T\\S+\\.\\d{3}Z");
        assertThat(request("GET", "/api/v1/instance", "token").getHeader("X-RateLimit-Remaining"))
                .isEqualTo("1499");
        assertThat(request("GET", "/index.html", "").getHeader("X-RateLimit-Limit"))
                .isNull();
    }

    @Test
    @DisplayName("bound the passwords that one address can try, with or without a token")
    void logins() throws Exception {
        for (int i = 0; i < RateLimit.LOGINS_PER_ADDRESS; i++) {
            assertThat(request("POST", "/oauth/token", "token" + i).getStatus()).isEqualTo(200);
        }
        assertThat(request("POST", "/login", "").getStatus()).isEqualTo(429);
        assertThat(request("POST", "/oauth/%74oken", "").getStatus()).isEqualTo(429);
    }

    @Test
    @DisplayName("bound an address also if it makes up a token for each request")
    void madeUpTokens() throws Exception {
        int allowed = 0;
        while (request("GET", "/api/v1/instance", "made-up-" + allowed).getStatus() == 200) {
            allowed++;
        }
        assertThat(allowed).isBetween(RateLimit.ALL_OF_ADDRESS, 2 * RateLimit.ALL_OF_ADDRESS); // it refills meanwhile
    }
}
