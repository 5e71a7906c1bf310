package io.feedkit.examples.microblog.web;

import org.springframework.http.HttpStatus;

/** An answer other than success: the status and the text that Mastodon gives. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;

    private ApiException(HttpStatus status, String message) {
        super(message);
        this.status = status;
    }

    public static ApiException badRequest(String message) {
        return new ApiException(HttpStatus.BAD_REQUEST, message);
    }

    public static ApiException unauthorized() {
        return new ApiException(HttpStatus.UNAUTHORIZED, ApiErrors.INVALID_TOKEN);
    }

    public static ApiException forbidden() {
        return new ApiException(HttpStatus.FORBIDDEN, "This action is not allowed");
    }

    public static ApiException notFound() {
        return new ApiException(HttpStatus.NOT_FOUND, ApiErrors.NOT_FOUND);
    }

    /** An answer with a status that has no factory here, such as 410. */
    public static ApiException of(HttpStatus status, String message) {
        return new ApiException(status, message);
    }

    /** What is wrong with a value, such as "Text can't be blank". */
    public static ApiException unprocessable(String reason) {
        return new ApiException(HttpStatus.UNPROCESSABLE_CONTENT, "Validation failed: " + reason);
    }

    HttpStatus status() {
        return status;
    }
}
