package io.feedkit.examples.microblog.web;

import io.feedkit.EngineClosedException;
import io.feedkit.InvalidRequestException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Every failure as Mastodon's JSON. Internal causes are logged, not returned. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ApiErrors extends ResponseEntityExceptionHandler {

    static final String INVALID_TOKEN = "The access token is invalid";
    static final String NOT_FOUND = "Record not found";

    private static final Logger log = LoggerFactory.getLogger(ApiErrors.class);

    /** JSON also for clients that accept only event streams: a type that is set is not negotiated. */
    static ResponseEntity<Object> answer(HttpStatusCode status, HttpHeaders headers, String message) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("error", message));
    }

    static ResponseEntity<Object> answer(HttpStatusCode status, String message) {
        return answer(status, HttpHeaders.EMPTY, message);
    }

    /** A server is down; clients repeat the request. */
    static ResponseEntity<Object> unavailable() {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, "1");
        return answer(HttpStatus.SERVICE_UNAVAILABLE, headers, "Service Unavailable");
    }

    @ExceptionHandler
    ResponseEntity<Object> refused(ApiException e) {
        return answer(e.status(), String.valueOf(e.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> invalid(InvalidRequestException e) {
        return answer(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }

    /** Parameters that are no UTF-8. */
    @ExceptionHandler
    ResponseEntity<Object> undecodable(InvalidParameterException e) {
        return answer(HttpStatus.BAD_REQUEST, HttpStatus.BAD_REQUEST.getReasonPhrase());
    }

    /** The database refuses a value, such as a character that it cannot store. */
    @ExceptionHandler
    ResponseEntity<Object> refusedByDatabase(DataIntegrityViolationException e) {
        log.debug("the database refused a value", e);
        return answer(HttpStatus.UNPROCESSABLE_CONTENT, "Validation failed: the database cannot store this");
    }

    @ExceptionHandler({
        StoreUnavailableException.class,
        OutcomeUnknownException.class,
        EngineClosedException.class,
        NonTransientDataAccessResourceException.class,
        TransientDataAccessException.class,
        RecoverableDataAccessException.class,
        TransactionException.class
    })
    ResponseEntity<Object> unavailable(Exception e) {
        log.warn("a request is answered with status 503: {}", e.toString());
        return unavailable();
    }

    @ExceptionHandler
    ResponseEntity<Object> failed(Exception e) {
        if (isOutage(e)) {
            return unavailable(e);
        }
        log.error("a request failed", e);
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, "Internal Server Error");
    }

    /** An id in the path that is no number belongs to nothing. */
    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return e instanceof MethodArgumentTypeMismatchException argument
                        && argument.getParameter().hasParameterAnnotation(PathVariable.class)
                ? refused(ApiException.notFound())
                : handleExceptionInternal(e, null, headers, status, request);
    }

    /** What Spring itself refuses: bad JSON, unknown paths, methods and media types. */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception e, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        HttpStatus known = HttpStatus.valueOf(status.value());
        String message = known == HttpStatus.NOT_FOUND ? NOT_FOUND : known.getReasonPhrase();
        return answer(known, headers, message);
    }

    /** Whether the cause of a failure outside of handlers is that a server is down. */
    static boolean isOutage(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NonTransientDataAccessResourceException
                    || cause instanceof TransientDataAccessException
                    || cause instanceof RecoverableDataAccessException
                    || cause instanceof TransactionException
                    || cause instanceof StoreUnavailableException) {
                return true;
            }
        }
        return false;
    }
}
