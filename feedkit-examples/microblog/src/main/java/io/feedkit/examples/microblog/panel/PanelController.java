package io.feedkit.examples.microblog.panel;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.Unread;
import io.feedkit.counter.Reactions;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.account.AccountViews;
import io.feedkit.examples.microblog.announcement.Bulletins;
import io.feedkit.examples.microblog.panel.LastPost.Way;
import io.feedkit.examples.microblog.status.StatusView;
import io.feedkit.examples.microblog.status.StatusViews;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.ApiTime;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.presence.OnlineReader;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Rankers;
import io.feedkit.rank.SnapshotExpiredException;
import io.feedkit.spi.FeedStore;
import io.feedkit.unread.Badges;
import io.feedkit.unread.Badges.Badge;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** What the page of this server asks for, beside the API of Mastodon. */
@RestController
@RequestMapping("/api/feedkit")
class PanelController {

    private static final int RANKED = 500;
    private static final int MOST_ONLINE = 1000;

    private final FeedEngine feed;
    private final FeedStore store;
    private final Policies policies;
    private final Badges badges;
    private final Reactions likes;
    private final StatusViews statuses;
    private final AccountViews accounts;
    private final LastPost lastPost;

    PanelController(
            FeedEngine feed,
            FeedStore store,
            Policies policies,
            Badges badges,
            Reactions likes,
            StatusViews statuses,
            AccountViews accounts,
            LastPost lastPost) {
        this.feed = feed;
        this.store = store;
        this.policies = policies;
        this.badges = badges;
        this.likes = likes;
        this.statuses = statuses;
        this.accounts = accounts;
        this.lastPost = lastPost;
    }

    /** What is new outside of the feed. */
    record Dots(long notifications, boolean announcements) {}

    /** How the server works now, and what is unread. */
    @JsonNaming(LowerCamelCaseStrategy.class)
    record State(
            String policy,
            List<String> policies,
            String store,
            String inboxes,
            Unread unread,
            Dots dots,
            long online,
            int liveSubscribers) {}

    record PolicyChoice(@Nullable String name) {}

    record Seen(@Nullable String newer) {}

    record Top(List<StatusView> items, @Nullable String next) {}

    /** How far the delivery of a post has come. */
    @JsonNaming(LowerCamelCaseStrategy.class)
    record Delivery(
            String status,
            AccountView author,
            String mode,
            long followers,
            int delivered,
            int notLive,
            int belowFloor,
            String publishedAt,
            @Nullable Long deliveredAfterMillis,
            boolean finished) {}

    @GetMapping("/state")
    State state(Account me) {
        Badge badge = badges.get(me.key(), List.of(), List.of(), List.of(Bulletins.AUTHOR));
        return new State(
                policies.current(),
                policies.names(),
                place(Data.POSTS),
                place(Data.INBOXES),
                feed.unread(me.key()),
                new Dots(
                        badge.types().total(),
                        badge.announcements() > 0 || badge.dots().contains(Bulletins.AUTHOR)),
                online(),
                feed.liveSubscribers());
    }

    private String place(Data data) {
        return store.describe().stream()
                .filter(description -> description.data().contains(data))
                .map(StoreDescription::place)
                .findFirst()
                .orElse("");
    }

    /** Accounts among the newest readers online; the readers of notifications are no accounts. */
    private long online() {
        return feed.presence().list(MOST_ONLINE).readers().stream()
                .map(OnlineReader::reader)
                .filter(reader -> reader.chars().allMatch(Character::isDigit))
                .count();
    }

    @PutMapping("/policy")
    State policy(Account me, @RequestBody PolicyChoice choice) {
        policies.use(choice.name() == null ? "" : choice.name());
        return state(me);
    }

    @GetMapping("/top")
    Top top(Account me, PageBounds bounds, @RequestParam(defaultValue = "") String after) {
        RankRequest request = after.isEmpty()
                ? RankRequest.top(RANKED, bounds.limit())
                : RankRequest.after(RankCursor.parse(after), bounds.limit());
        try {
            RankedPage<StatusView> page = statuses.ranked(me.key(), request, Rankers.hot(likes));
            return new Top(page.items(), page.next().map(RankCursor::toString).orElse(null));
        } catch (SnapshotExpiredException e) {
            throw ApiException.of(HttpStatus.GONE, "The ranking has expired: start at the first page");
        }
    }

    @PostMapping("/seen")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void seen(Account me, @RequestBody Seen seen) {
        feed.markSeen(me.key(), Cursor.parse(seen.newer() == null ? "" : seen.newer()));
    }

    @GetMapping("/last-post")
    ResponseEntity<Delivery> lastPost(Account me) {
        return lastPost.get()
                .map(way -> delivery(way, accounts.byKeys(Set.of(way.post().author()))))
                .map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.noContent().build());
    }

    private Delivery delivery(Way way, Map<String, AccountView> found) {
        long followers = feed.followCounts(way.post().author()).followers();
        AccountView author = found.get(way.post().author());
        if (author == null) {
            throw ApiException.notFound();
        }
        return new Delivery(
                way.post().id(),
                author,
                way.mode().name(),
                followers,
                way.delivered(),
                (int) Math.min(
                        way.notLive(),
                        Math.max(0, followers - way.delivered())), // the author's inbox counts there, too
                way.belowFloor(),
                ApiTime.of(way.post().publishedAt().toEpochMilli()),
                way.finishedAfterMillis().isPresent()
                        ? way.finishedAfterMillis().getAsLong()
                        : null,
                way.finishedAfterMillis().isPresent() || followers == 0);
    }
}
