package io.feedkit.examples.microblog.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Errors of filters, which are outside of what {@link ApiErrors} handles. */
public final class Answers {

    private Answers() {}

    public static void error(HttpServletResponse response, HttpStatus status, String message, JsonMapper json)
            throws IOException {
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*"); // filters run before CORS
        response.setCharacterEncoding("UTF-8");
        response.getWriter().write(json.writeValueAsString(Map.of("error", message)));
    }

    static void error(HttpServletResponse response, HttpStatus status, JsonMapper json) throws IOException {
        error(response, status, status.getReasonPhrase(), json);
    }
}
