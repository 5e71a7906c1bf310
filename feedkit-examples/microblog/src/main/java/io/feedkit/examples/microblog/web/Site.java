package io.feedkit.examples.microblog.web;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The address of this server, as links in answers name it. */
@Component
public class Site {

    private volatile String url;

    Site(@Value("${microblog.url:}") String url) {
        this.url = url;
    }

    @EventListener
    void started(WebServerInitializedEvent event) {
        if (url.isEmpty()) {
            url = "http://127.0.0.1:" + event.getWebServer().getPort();
        }
    }

    /** The absolute URL of a path such as {@code /@ann}. */
    public String url(String path) {
        return url + path;
    }

    /** The name of the instance, such as {@code 127.0.0.1:8080}. */
    public String domain() {
        return url.replaceFirst("^https?://", "");
    }

    /** The address of WebSockets. */
    public String streaming() {
        return url.replaceFirst("^http", "ws");
    }
}
