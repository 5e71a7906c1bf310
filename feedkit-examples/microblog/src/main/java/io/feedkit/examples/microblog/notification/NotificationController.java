package io.feedkit.examples.microblog.notification;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.timeline.Places;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.ListPage;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.examples.microblog.web.PageLinks;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Notifications over HTTP. */
@RestController
class NotificationController {

    private final Notifications notifications;
    private final NotificationRows rows;
    private final NotificationViews views;
    private final FeedEngine feed;

    NotificationController(
            Notifications notifications, NotificationRows rows, NotificationViews views, FeedEngine feed) {
        this.notifications = notifications;
        this.rows = rows;
        this.views = views;
        this.feed = feed;
    }

    @GetMapping("/api/v1/notifications")
    ResponseEntity<List<NotificationView>> list(
            Account me,
            PageBounds bounds,
            @RequestParam(name = "types[]", defaultValue = "") Set<String> types,
            @RequestParam(name = "exclude_types[]", defaultValue = "") Set<String> excluded,
            @RequestParam(name = "account_id", defaultValue = "") String from,
            HttpServletRequest request) {
        Predicate<Notification> wanted = each -> (types.isEmpty() || types.contains(each.type()))
                && !excluded.contains(each.type())
                && (from.isEmpty() || from.equals(each.from()));
        ListPage<NotificationView> page = Places.read(bounds, part -> page(me, part, wanted));
        List<NotificationView> items = page.items();
        Optional<String> lowest = page.older()
                .filter(older -> !items.isEmpty())
                .map(older -> items.get(items.size() - 1).id());
        Optional<String> highest = items.stream().map(NotificationView::id).findFirst();
        return ResponseEntity.ok()
                .headers(PageLinks.of(request, lowest, highest))
                .body(items);
    }

    private ListPage<NotificationView> page(Account me, PageRequest part, Predicate<Notification> wanted) {
        FeedPage<Notification> page = feed.readAuthor(
                me.notifier(),
                part,
                posts -> rows.byIds(posts.stream().map(post -> post.id()).toList()).stream()
                        .filter(wanted)
                        .collect(Collectors.toMap(Notification::post, Function.identity())));
        return new ListPage<>(views.of(me.key(), page.items()), page.older(), page.newer(), page.moreNewer());
    }

    @GetMapping("/api/v1/notifications/unread_count")
    Map<String, Long> unreadCount(Account me) {
        return Map.of("count", notifications.unread(me));
    }

    @GetMapping("/api/v1/notifications/{id}")
    NotificationView show(Account me, @PathVariable long id) {
        return rows.find(me.id(), id)
                .flatMap(found -> views.of(me.key(), List.of(found)).stream().findFirst())
                .orElseThrow(ApiException::notFound);
    }

    @PostMapping("/api/v1/notifications/clear")
    Map<String, String> clear(Account me) {
        notifications.clear(me);
        return Map.of();
    }

    @PostMapping("/api/v1/notifications/{id}/dismiss")
    Map<String, String> dismiss(Account me, @PathVariable long id) {
        notifications.dismiss(me, id);
        return Map.of();
    }
}
