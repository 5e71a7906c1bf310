package io.feedkit.spring.internal.web;

import io.feedkit.EngineClosedException;
import io.feedkit.FeedKitException;
import io.feedkit.InvalidRequestException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spring.FeedKitProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** FeedKit's exceptions as problem details. Comes before an advice of the application that has no order. */
@ControllerAdvice
@Order(0)
public final class FeedKitProblems {

    private static final Logger log = LoggerFactory.getLogger(FeedKitProblems.class);

    private final FeedKitProperties.Web properties;

    public FeedKitProblems(FeedKitProperties properties) {
        this.properties = properties.web();
    }

    @ExceptionHandler
    public ResponseEntity<ProblemDetail> invalid(InvalidRequestException e) {
        return ResponseEntity.badRequest()
                .body(ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage())));
    }

    /** Clients do not learn which store it is: the message names operations and addresses. */
    @ExceptionHandler({StoreUnavailableException.class, OutcomeUnknownException.class, EngineClosedException.class})
    public ResponseEntity<ProblemDetail> unavailable(FeedKitException e) {
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
