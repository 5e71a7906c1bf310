package io.feedkit.examples.microblog.account;

import io.feedkit.examples.microblog.web.PageBounds;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Finds accounts by their names. Statuses are not searched. */
@RestController
class SearchController {

    private final Accounts accounts;
    private final AccountViews views;

    SearchController(Accounts accounts, AccountViews views) {
        this.accounts = accounts;
        this.views = views;
    }

    @GetMapping("/api/v2/search")
    Map<String, Object> search(
            Account me,
            @RequestParam String q,
            @RequestParam(defaultValue = "accounts") String type,
            PageBounds bounds) {
        List<AccountView> found = type.equals("accounts") && !q.isBlank()
                ? views.of(accounts.search(Names.local(q), bounds.limit()))
                : List.of();
        return Map.of("accounts", found, "statuses", List.of(), "hashtags", List.of());
    }
}
