package io.feedkit.spring.host.guide;

import io.feedkit.Cursor;
import io.feedkit.spring.web.LiveStreams;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
class EventsController {

    private final LiveStreams streams;

    EventsController(LiveStreams streams) {
        this.streams = streams;
    }

    // guide
    @GetMapping("/feed/events")
    public SseEmitter events(@RequestParam String reader, @RequestParam Cursor newer) {
        return streams.open(reader, newer); // of LiveStreams; in WebFlux, ReactiveLiveStreams
    }
    // end
}
