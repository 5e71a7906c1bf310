package io.feedkit.examples.microblog.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/** Refuses bodies that are too large, before they are read. A body has to announce its length. */
final class BodyLimit extends OncePerRequestFilter {

    private static final long MAX_BYTES = 1_000_000;

    private final JsonMapper json;

    BodyLimit(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > MAX_BYTES) {
            Answers.error(response, HttpStatus.CONTENT_TOO_LARGE, json);
        } else if (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
            Answers.error(response, HttpStatus.LENGTH_REQUIRED, json);
        } else {
            chain.doFilter(request, response);
        }
    }
}
