package io.feedkit.examples.microblog.notification;

import io.feedkit.Post;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.account.AccountViews;
import io.feedkit.examples.microblog.status.StatusRows;
import io.feedkit.examples.microblog.status.StatusView;
import io.feedkit.examples.microblog.status.StatusViews;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Makes JSON of notifications, with the accounts and statuses that they are about. */
@Component
public class NotificationViews {

    private final NotificationRows rows;
    private final AccountViews accounts;
    private final StatusRows statusRows;
    private final StatusViews statuses;

    NotificationViews(NotificationRows rows, AccountViews accounts, StatusRows statusRows, StatusViews statuses) {
        this.rows = rows;
        this.accounts = accounts;
        this.statusRows = statusRows;
        this.statuses = statuses;
    }

    /** The notification of a post of FeedKit; empty if it is gone. */
    public Optional<NotificationView> find(String reader, Post post) {
        return of(reader, rows.byIds(List.of(post.id()))).stream().findFirst();
    }

    /** Notifications in the given order; those whose status was deleted meanwhile are left out. */
    List<NotificationView> of(String reader, List<Notification> notifications) {
        Set<String> from = notifications.stream().map(Notification::from).collect(Collectors.toSet());
        List<String> about = notifications.stream()
                .flatMap(each -> each.statusId().stream())
                .map(String::valueOf)
                .distinct()
                .toList();
        Map<String, AccountView> people = accounts.byKeys(from);
        Map<String, StatusView> shown = statuses.of(reader, statusRows.byIds(about)).stream()
                .collect(Collectors.toMap(StatusView::id, Function.identity()));
        return notifications.stream()
                .flatMap(each -> view(each, people, shown).stream())
                .toList();
    }

    private static Optional<NotificationView> view(
            Notification notification, Map<String, AccountView> people, Map<String, StatusView> shown) {
        Optional<AccountView> from = Optional.ofNullable(people.get(notification.from()));
        Optional<StatusView> status = notification.statusId().map(id -> shown.get(id.toString()));
        return from.filter(account -> notification.statusId().isPresent() == status.isPresent())
                .map(account -> NotificationView.of(notification, account, status.orElse(null)));
    }
}
