package io.feedkit.examples.microblog.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.web.ApiTime;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A status as JSON. A boost has the boosted status in {@code reblog}. */
public record StatusView(
        String id,
        String createdAt,
        @Nullable String inReplyToId,
        @Nullable String inReplyToAccountId,
        boolean sensitive,
        String spoilerText,
        String visibility,
        @Nullable String language,
        String uri,
        String url,
        long repliesCount,
        long reblogsCount,
        long favouritesCount,
        boolean favourited,
        boolean reblogged,
        boolean muted,
        boolean bookmarked,
        String content,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String text,
        @Nullable StatusView reblog,
        AccountView account,
        List<Object> mediaAttachments,
        List<Mention> mentions,
        List<Object> tags,
        List<Object> emojis,
        @Nullable Object card,
        @Nullable Object poll,
        @Nullable String editedAt) {

    /** What people did with a status, and whether the reader did. */
    record Numbers(long replies, long boosts, long favourites, boolean favourited, boolean boosted) {}

    static StatusView of(
            Status status, AccountView account, List<Mention> mentions, Numbers numbers, @Nullable StatusView reblog) {
        String url = account.url() + "/" + status.id();
        Map<String, String> urls = mentions.stream().collect(Collectors.toMap(Mention::username, Mention::url));
        return new StatusView(
                status.key(),
                ApiTime.of(Snowflakes.millis(status.id())),
                status.inReplyToId().map(String::valueOf).orElse(null),
                status.inReplyToAccountId().map(String::valueOf).orElse(null),
                false,
                "",
                "public",
                null,
                url,
                url,
                numbers.replies(),
                numbers.boosts(),
                numbers.favourites(),
                numbers.favourited(),
                numbers.boosted(),
                false,
                false,
                reblog == null ? StatusText.html(status.text(), urls) : reblog.content(),
                null,
                reblog,
                account,
                List.of(),
                mentions,
                List.of(),
                List.of(),
                null,
                null,
                null);
    }

    /** The status as its author gets it after a delete, to write it anew. */
    StatusView withText(String written) {
        return new StatusView(
                id,
                createdAt,
                inReplyToId,
                inReplyToAccountId,
                sensitive,
                spoilerText,
                visibility,
                language,
                uri,
                url,
                repliesCount,
                reblogsCount,
                favouritesCount,
                favourited,
                reblogged,
                muted,
                bookmarked,
                content,
                written,
                reblog,
                account,
                mediaAttachments,
                mentions,
                tags,
                emojis,
                card,
                poll,
                editedAt);
    }
}
