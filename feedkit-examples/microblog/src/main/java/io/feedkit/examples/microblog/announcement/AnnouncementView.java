package io.feedkit.examples.microblog.announcement;

import io.feedkit.examples.microblog.web.ApiTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;

/** An announcement as JSON. */
public record AnnouncementView(
        String id,
        String content,
        @Nullable String startsAt,
        @Nullable String endsAt,
        boolean allDay,
        String publishedAt,
        String updatedAt,
        boolean read,
        List<Object> mentions,
        List<Object> statuses,
        List<Object> tags,
        List<Object> emojis,
        List<Object> reactions) {

    static AnnouncementView of(long id, String text, long publishedAt, boolean read) {
        String time = ApiTime.of(publishedAt);
        String content = "<p>" + HtmlUtils.htmlEscape(text) + "</p>";
        List<Object> none = List.of();
        return new AnnouncementView(
                Long.toString(id), content, null, null, false, time, time, read, none, none, none, none, none);
    }
}
