package io.feedkit.examples.microblog.status;

import io.feedkit.PostLoader;
import io.feedkit.StoreUnavailableException;
import io.feedkit.cards.Card;
import io.feedkit.cards.CardField;
import io.feedkit.cards.PageAssembly;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.status.StatusView.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a page of statuses consists of. The first wave of calls loads authors, numbers and the boosted originals; the
 * second one loads what is shown of the originals.
 */
final class StatusCards {

    private final CardField<Status> content;
    private final CardField<AccountView> author;
    private final CardField<List<Mention>> mentions;
    private final CardField<Status> original;
    private final CardField<AccountView> originalAuthor;
    private final CardField<List<Mention>> originalMentions;
    private final CardField<Long> replies;
    private final CardField<Long> boosts;
    private final CardField<Long> favourites;
    private final CardField<Boolean> favourited;
    private final CardField<Boolean> boosted;

    StatusCards(StatusParts parts, PostLoader<Status> loader) {
        content = CardField.content(loader);
        author = parts.accounts.by(content, Status::author);
        mentions = parts.mentions.by(content, StatusCards::names);
        original = parts.originals.by(content, StatusCards::boostedId);
        originalAuthor = parts.accounts.by(original, Status::author);
        originalMentions = parts.mentions.by(original, StatusCards::names);
        replies = parts.replies.by(content, Status::subject);
        boosts = parts.boosts.by(content, Status::subject);
        favourites = parts.favourites.by(content, Status::subject);
        favourited = parts.favourited.by(content, Status::subject);
        boosted = parts.boosted.by(content, Status::subject);
    }

    private static @Nullable Set<String> names(Status status) {
        Set<String> names = StatusText.names(status.text());
        return names.isEmpty() ? null : names;
    }

    private static @Nullable String boostedId(Status status) {
        return status.reblogOfId().map(String::valueOf).orElse(null);
    }

    PageAssembly assembly() {
        return PageAssembly.of(
                content,
                author,
                mentions,
                originalAuthor,
                originalMentions,
                replies,
                boosts,
                favourites,
                favourited,
                boosted);
    }

    /** The card as JSON; empty for a boost whose original was deleted meanwhile. */
    Optional<StatusView> view(Card card) {
        Status status = card.get(content);
        Numbers numbers = new Numbers(
                card.get(replies), card.get(boosts), card.get(favourites), card.get(favourited), card.get(boosted));
        if (status.reblogOfId().isEmpty()) {
            return Optional.of(StatusView.of(status, needed(card, author), card.get(mentions), numbers, null));
        }
        requireLoaded(card, original);
        return card.find(original)
                .map(found ->
                        StatusView.of(found, needed(card, originalAuthor), card.get(originalMentions), numbers, null))
                .map(reblog -> StatusView.of(status, needed(card, author), List.of(), numbers, reblog));
    }

    private static AccountView needed(Card card, CardField<AccountView> field) {
        requireLoaded(card, field);
        return card.find(field).orElseThrow();
    }

    private static void requireLoaded(Card card, CardField<?> field) {
        if (card.hasFailed(field)) {
            throw new StoreUnavailableException(
                    "statuses.view", new IllegalStateException(field + " could not be loaded"));
        }
    }
}
