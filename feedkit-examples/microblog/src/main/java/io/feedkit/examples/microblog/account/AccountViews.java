package io.feedkit.examples.microblog.account;

import io.feedkit.counter.Counters;
import io.feedkit.examples.microblog.web.Site;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;

/** Makes JSON of accounts, with their counts. */
@Component
public class AccountViews {

    /** The counter of an account's posts and boosts. Changed with each status that is written or deleted. */
    public static final String STATUSES = "statuses";

    static final String FOLLOWERS = "followers";
    static final String FOLLOWING = "following";

    private final Accounts accounts;
    private final Counters counters;
    private final Site site;

    AccountViews(Accounts accounts, Counters counters, Site site) {
        this.accounts = accounts;
        this.counters = counters;
        this.site = site;
    }

    /** The accounts of a page: one query, and one read for each kind of count. */
    public Map<String, AccountView> byKeys(Set<String> keys) {
        return of(List.copyOf(accounts.byKeys(keys).values())).stream()
                .collect(Collectors.toMap(AccountView::id, Function.identity()));
    }

    public AccountView of(Account account) {
        return of(List.of(account)).get(0);
    }

    List<AccountView> of(List<Account> found) {
        List<String> keys = found.stream().map(Account::key).toList();
        List<Long> followers = counters.get(FOLLOWERS, keys);
        List<Long> following = counters.get(FOLLOWING, keys);
        List<Long> statuses = counters.get(STATUSES, keys);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> view(found.get(i), followers.get(i), following.get(i), statuses.get(i)))
                .toList();
    }

    private AccountView view(Account account, long followers, long following, long statuses) {
        String url = site.url("/@" + account.username());
        String avatar = site.url("/avatars/" + account.username() + ".svg");
        return AccountView.of(account, followers, following, statuses, url, avatar);
    }
}
