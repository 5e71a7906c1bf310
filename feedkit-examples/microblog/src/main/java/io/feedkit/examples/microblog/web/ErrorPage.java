package io.feedkit.examples.microblog.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What fails outside of handlers, such as in filters. */
@RestController
class ErrorPage implements ErrorController {

    @RequestMapping("${server.error.path:/error}")
    ResponseEntity<Object> error(HttpServletRequest request) {
        Throwable failure = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        if (failure instanceof InvalidParameterException) {
            return ApiErrors.answer(HttpStatus.BAD_REQUEST, "Bad Request");
        }
        if (ApiErrors.isOutage(failure)) {
            return ApiErrors.unavailable();
        }
        HttpStatus status = status(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE));
        return ApiErrors.answer(status, status.getReasonPhrase());
    }

    /** A browser that asks for this path itself finds nothing. */
    private static HttpStatus status(@Nullable Object code) {
        return code instanceof Integer number ? HttpStatus.valueOf(number) : HttpStatus.NOT_FOUND;
    }
}
