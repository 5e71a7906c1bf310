package io.feedkit.examples.microblog.status;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.AccountViews;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.JoinedCounters;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * What accounts do with statuses. A row, FeedKit's post, notifications and counts change together or not at all.
 * Counters come last, because their rows stay locked until the commit.
 */
@Service
public class Statuses {

    private final StatusRows rows;
    private final FeedEngine feed;
    private final JoinedCounters counters;
    private final ApplicationEventPublisher events;
    private final Snowflakes ids;

    Statuses(
            StatusRows rows,
            FeedEngine feed,
            JoinedCounters counters,
            ApplicationEventPublisher events,
            Snowflakes ids) {
        this.rows = rows;
        this.feed = feed;
        this.counters = counters;
        this.events = events;
        this.ids = ids;
    }

    @Transactional
    public Status post(Account author, String text, OptionalLong inReplyTo) {
        return post(author, text, inReplyTo, Optional.empty());
    }

    /**
     * Writes a post or a reply.
     *
     * @throws org.springframework.dao.DuplicateKeyException if the author has used the idempotency key before
     */
    @Transactional
    public Status post(Account author, String text, OptionalLong inReplyTo, Optional<String> idempotencyKey) {
        Optional<Status> parent =
                inReplyTo.isPresent() ? Optional.of(lockOriginal(inReplyTo.getAsLong())) : Optional.empty();
        Status status = Status.post(ids.next(), author.id(), text, parent);
        publish(status, idempotencyKey);
        Set<Long> told = new TreeSet<>(rows.accounts(StatusText.names(text)).values());
        parent.ifPresent(replied -> told.add(replied.accountId()));
        told.forEach(account -> happened("mention", author, account, status));
        parent.ifPresent(replied -> count(StatusParts.REPLIES, replied.key(), 1));
        count(AccountViews.STATUSES, author.key(), 1);
        return status;
    }

    /** Boosts a status, or what it boosts. Boosting again returns the boost. */
    @Transactional
    public Status reblog(Account me, long statusId) {
        Status original = lockOriginal(statusId);
        return rows.boostOf(me.id(), original.id()).orElseGet(() -> boost(me, original));
    }

    private Status boost(Account me, Status original) {
        Status boost = Status.boost(ids.next(), me.id(), original);
        publish(boost, Optional.empty());
        happened("reblog", me, original.accountId(), original);
        count(StatusParts.BOOSTS, original.key(), 1);
        count(AccountViews.STATUSES, me.key(), 1);
        return boost;
    }

    private void publish(Status status, Optional<String> idempotencyKey) {
        rows.insert(status, idempotencyKey);
        feed.publish(status.post());
    }

    /** Takes a boost back, and returns the original. */
    @Transactional
    public Status unreblog(Account me, long statusId) {
        Status original = lockOriginal(statusId);
        rows.boostOf(me.id(), original.id()).ifPresent(this::deleteWithBoosts);
        return original;
    }

    @Transactional
    public void favourite(Account me, long statusId) {
        Status original = lockOriginal(statusId);
        if (counters.get().likes().add(me.key(), original.key())) {
            happened("favourite", me, original.accountId(), original);
        }
    }

    @Transactional
    public void unfavourite(Account me, long statusId) {
        Status original = lockOriginal(statusId);
        if (counters.get().likes().remove(me.key(), original.key())) {
            undone("favourite", me.id(), original);
        }
    }

    @Transactional
    public void delete(Account me, long statusId) {
        // The original first, as everywhere: its own deletion deletes the boost, too.
        rows.find(statusId).flatMap(Status::reblogOfId).ifPresent(rows::lock);
        deleteWithBoosts(rows.lock(statusId)
                .filter(status -> status.accountId() == me.id())
                .orElseThrow(ApiException::notFound));
    }

    private void deleteWithBoosts(Status status) {
        List<Status> gone = new ArrayList<>(rows.boosts(status.id(), Integer.MAX_VALUE));
        gone.add(status);
        gone.sort(Comparator.comparingLong(Status::accountId)); // counters are locked in one order
        rows.delete(status.id());
        feed.deleteAll(gone.stream().map(each -> each.post().key()).toList());
        events.publishEvent(new StatusDeleted(status.id()));
        status.reblogOfId().flatMap(rows::find).ifPresent(original -> {
            undone("reblog", status.accountId(), original);
            count(StatusParts.BOOSTS, original.key(), -1);
        });
        status.inReplyToId().ifPresent(parent -> count(StatusParts.REPLIES, Long.toString(parent), -1));
        gone.forEach(each -> count(AccountViews.STATUSES, each.author(), -1));
        counters.get().likes().forgetPost(status.key());
    }

    /** The original of a boost, or the status itself, locked against deletion until the transaction ends. */
    private Status lockOriginal(long id) {
        return rows.find(id)
                .flatMap(status -> rows.lock(status.reblogOfId().orElse(id)))
                .orElseThrow(ApiException::notFound);
    }

    private void happened(String type, Account from, long to, Status status) {
        events.publishEvent(new Interaction(type, from.id(), to, status.id(), false));
    }

    private void undone(String type, long from, Status original) {
        events.publishEvent(new Interaction(type, from, original.accountId(), original.id(), true));
    }

    private void count(String type, String id, long amount) {
        counters.get().plain().add(type, id, amount);
    }
}
