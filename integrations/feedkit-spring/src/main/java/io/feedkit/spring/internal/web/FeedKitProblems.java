package io.feedkit.spring.internal.web;

import io.feedkit.EngineClosedException;
import io.feedkit.FeedKitException;
import io.feedkit.InvalidRequestException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spring.FeedKitProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebInputException;

/**
 * FeedKit's exceptions as problem details, unless the application handles them: its own handlers come first.
 *
 * <p>Spring also calls a handler of an exception that is only the cause of the one that was thrown. Such an exception
 * of the application is thrown again, and Spring goes on as without this class.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class FeedKitProblems {

    private static final Logger log = LoggerFactory.getLogger(FeedKitProblems.class);

    private final FeedKitProperties.Web properties;

    public FeedKitProblems(FeedKitProperties properties) {
        this.properties = properties.web();
    }

    /** An illegal cursor may be the cause of a failed conversion. */
    @ExceptionHandler(InvalidRequestException.class)
    public ResponseEntity<ProblemDetail> invalid(Exception thrown, InvalidRequestException e) throws Exception {
        if (thrown != e && !isConversion(thrown)) {
            throw thrown;
        }
        return ResponseEntity.badRequest()
                .body(ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage())));
    }

    private static boolean isConversion(Exception thrown) {
        return thrown instanceof TypeMismatchException
                || thrown instanceof HttpMessageNotReadableException
                || thrown instanceof ServerWebInputException;
    }

    /** Clients do not learn which store it is: the message names operations and addresses. */
    @ExceptionHandler({StoreUnavailableException.class, OutcomeUnknownException.class, EngineClosedException.class})
    public ResponseEntity<ProblemDetail> unavailable(Exception thrown, FeedKitException e) throws Exception {
        if (thrown != e) {
            throw thrown;
        }
        log.warn("a request is answered with status 503: {}", e.getMessage());
        log.debug("the cause of status 503", e);
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE);
        if (!(e instanceof StoreUnavailableException) || e.isRetryable()) {
            answer.header(
                    HttpHeaders.RETRY_AFTER,
                    Long.toString(Math.max(1, properties.retryAfter().toSeconds())));
        }
        return answer.body(ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE,
                e instanceof OutcomeUnknownException
                        ? "It is not known whether the change was made. It may be repeated."
                        : "Feeds are not available for the moment."));
    }
}
