package io.feedkit.examples.microblog.notification;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Markers over HTTP. Some clients send JSON, with ids as texts or as numbers, and some send forms. */
@RestController
class MarkerController {

    private static final Set<String> TIMELINES = Set.of(Markers.HOME, Markers.NOTIFICATIONS);

    private final Markers markers;

    MarkerController(Markers markers) {
        this.markers = markers;
    }

    /** How far a timeline was read. */
    record Read(@Nullable String lastReadId) {}

    @GetMapping("/api/v1/markers")
    Map<String, Marker> show(Account me, @RequestParam(name = "timeline[]", defaultValue = "") Set<String> timelines) {
        return markers.find(me, timelines);
    }

    @PostMapping(path = "/api/v1/markers", consumes = MediaType.APPLICATION_JSON_VALUE)
    Map<String, Marker> move(Account me, @RequestBody Map<String, Read> reads) {
        Map<String, String> ids = new HashMap<>();
        reads.forEach((timeline, read) -> {
            if (read != null && read.lastReadId() != null) {
                ids.put(timeline, read.lastReadId());
            }
        });
        return moveAll(me, ids);
    }

    @PostMapping(path = "/api/v1/markers", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    Map<String, Marker> moveByForm(Account me, @RequestParam Map<String, String> form) {
        Map<String, String> ids = new HashMap<>();
        TIMELINES.forEach(timeline -> {
            String id = form.get(timeline + "[last_read_id]");
            if (id != null) {
                ids.put(timeline, id);
            }
        });
        return moveAll(me, ids);
    }

    private Map<String, Marker> moveAll(Account me, Map<String, String> ids) {
        ids.keySet().retainAll(TIMELINES);
        Map<String, Long> places = new HashMap<>();
        ids.forEach((timeline, id) -> places.put(timeline, place(id)));
        places.forEach((timeline, place) -> markers.move(me, timeline, place));
        return markers.find(me, places.keySet());
    }

    private static long place(String id) {
        try {
            return Math.max(0, Long.parseLong(id));
        } catch (NumberFormatException e) {
            throw ApiException.unprocessable("Last read must be an id");
        }
    }
}
