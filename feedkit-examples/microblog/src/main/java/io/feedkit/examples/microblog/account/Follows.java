package io.feedkit.examples.microblog.account;

import io.feedkit.FeedEngine;
import io.feedkit.FollowPage;
import io.feedkit.counter.Counters;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Who follows whom: FeedKit's own graph, and two counters beside it, which are read for whole pages. */
@Service
public class Follows {

    private final FeedEngine feed;
    private final Counters counters;
    private final ApplicationEventPublisher events;

    Follows(FeedEngine feed, Counters counters, ApplicationEventPublisher events) {
        this.feed = feed;
        this.counters = counters;
        this.events = events;
    }

    /**
     * Follows, unless the account does already. The edge, the counters and the notification are steps of their own: if
     * one fails, the client gets an error, and its next try does what is missing.
     */
    public void follow(Account me, Account other) {
        if (me.id() == other.id()) {
            throw ApiException.forbidden();
        }
        if (feed.follow(me.key(), other.key())) {
            count(me, other, 1);
        } else {
            correct(me, other);
        }
        events.publishEvent(new Followed(me, other, true));
    }

    void unfollow(Account me, Account other) {
        if (feed.unfollow(me.key(), other.key())) {
            count(me, other, -1);
        } else {
            correct(me, other);
        }
        events.publishEvent(new Followed(me, other, false));
    }

    /** Makes up for a step that failed before. */
    private void correct(Account me, Account other) {
        correct(AccountViews.FOLLOWING, me.key(), feed.followCounts(me.key()).followees());
        correct(
                AccountViews.FOLLOWERS,
                other.key(),
                feed.followCounts(other.key()).followers());
    }

    private void correct(String type, String key, long count) {
        long off = count - counters.get(type, key);
        if (off != 0) {
            counters.add(type, key, off);
        }
    }

    private void count(Account me, Account other, long change) {
        counters.add(AccountViews.FOLLOWING, me.key(), change);
        counters.add(AccountViews.FOLLOWERS, other.key(), change);
    }

    List<Relationship> relationships(Account me, Collection<String> keys) {
        Set<String> following = feed.following(me.key(), keys);
        return keys.stream()
                .map(key -> Relationship.of(key, following.contains(key), feed.isFollowing(key, me.key())))
                .toList();
    }

    /** A page of followers, in the order of their ids, which is the order of sign-ups. */
    FollowPage followers(Account account, Optional<String> after, int limit) {
        return after.map(last -> feed.followers(account.key(), last, limit))
                .orElseGet(() -> feed.followers(account.key(), limit));
    }

    FollowPage following(Account account, Optional<String> after, int limit) {
        return after.map(last -> feed.followees(account.key(), last, limit))
                .orElseGet(() -> feed.followees(account.key(), limit));
    }
}
