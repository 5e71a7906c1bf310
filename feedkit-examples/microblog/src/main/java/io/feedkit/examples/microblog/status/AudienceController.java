package io.feedkit.examples.microblog.status;

import io.feedkit.counter.Reactions;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.account.AccountViews;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.PageBounds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Who liked or boosted a status, the latest first. */
@RestController
class AudienceController {

    private final StatusRows rows;
    private final Reactions likes;
    private final AccountViews accounts;

    AudienceController(StatusRows rows, Reactions likes, AccountViews accounts) {
        this.rows = rows;
        this.likes = likes;
        this.accounts = accounts;
    }

    @GetMapping("/api/v1/statuses/{id}/favourited_by")
    List<AccountView> favouritedBy(Account me, @PathVariable long id, PageBounds bounds) {
        String subject = find(id).subject();
        return inOrder(likes.newest(subject, bounds.limit()).users());
    }

    @GetMapping("/api/v1/statuses/{id}/reblogged_by")
    List<AccountView> rebloggedBy(Account me, @PathVariable long id, PageBounds bounds) {
        long subject = Long.parseLong(find(id).subject());
        return inOrder(rows.boosts(subject, bounds.limit()).stream()
                .map(Status::author)
                .toList());
    }

    private Status find(long id) {
        return rows.find(id).orElseThrow(ApiException::notFound);
    }

    private List<AccountView> inOrder(List<String> keys) {
        Map<String, AccountView> found = accounts.byKeys(new HashSet<>(keys));
        return keys.stream().map(found::get).filter(Objects::nonNull).toList();
    }
}
