package io.feedkit.examples.microblog.account;

import io.feedkit.examples.microblog.web.ApiTime;
import java.util.List;
import org.springframework.web.util.HtmlUtils;

/** An account as JSON. */
public record AccountView(
        String id,
        String username,
        String acct,
        String displayName,
        boolean locked,
        boolean bot,
        boolean discoverable,
        boolean group,
        String createdAt,
        String note,
        String url,
        String uri,
        String avatar,
        String avatarStatic,
        String header,
        String headerStatic,
        long followersCount,
        long followingCount,
        long statusesCount,
        List<Object> emojis,
        List<Object> fields) {

    static AccountView of(Account account, long followers, long following, long statuses, String url, String avatar) {
        return new AccountView(
                account.key(),
                account.username(),
                account.username(),
                account.displayName(),
                false,
                false,
                true,
                false,
                ApiTime.of(account.createdAt()),
                "<p>" + HtmlUtils.htmlEscape(account.note()) + "</p>",
                url,
                url,
                avatar,
                avatar,
                avatar,
                avatar,
                followers,
                following,
                statuses,
                List.of(),
                List.of());
    }
}
