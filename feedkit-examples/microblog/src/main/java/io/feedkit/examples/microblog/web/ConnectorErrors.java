package io.feedkit.examples.microblog.web;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** What Tomcat refuses before any filter, such as a path with an encoded slash. */
final class ConnectorErrors extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        HttpStatus status = HttpStatus.resolve(response.getStatus());
        if (status == null || !status.isError() || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            response.getReporter().write("{\"error\":\"" + status.getReasonPhrase() + "\"}");
            response.finishResponse();
        } catch (IOException e) {
            container.getLogger().debug("the client has gone", e);
        }
    }
}
