package io.feedkit.examples.microblog.notification;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.status.StatusView;
import io.feedkit.examples.microblog.web.ApiTime;
import io.feedkit.examples.microblog.web.Snowflakes;
import org.jspecify.annotations.Nullable;

/** A notification as JSON. */
public record NotificationView(
        String id,
        String type,
        String createdAt,
        String groupKey,
        AccountView account,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StatusView status) {

    static NotificationView of(Notification notification, AccountView account, @Nullable StatusView status) {
        return new NotificationView(
                notification.key(),
                notification.type(),
                ApiTime.of(Snowflakes.millis(notification.id())),
                "ungrouped-" + notification.id(),
                account,
                status);
    }
}
