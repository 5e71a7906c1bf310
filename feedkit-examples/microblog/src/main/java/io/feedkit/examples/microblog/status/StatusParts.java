package io.feedkit.examples.microblog.status;

import io.feedkit.cards.CardPart;
import io.feedkit.cards.CardParts;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.examples.microblog.account.AccountView;
import io.feedkit.examples.microblog.account.AccountViews;
import io.feedkit.examples.microblog.web.Site;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** The parts of cards of statuses: one call each for a page, whatever its size. */
@Component
class StatusParts {

    static final String REPLIES = "replies";
    static final String BOOSTS = "boosts";

    /** A card needs its author, so a page waits longer for authors than for numbers. */
    private static final Duration NEEDED = Duration.ofSeconds(5);

    final CardPart<String, AccountView> accounts;
    final CardPart<String, Status> originals;
    final CardPart<Set<String>, List<Mention>> mentions;
    final CardPart<String, Long> replies;
    final CardPart<String, Long> boosts;
    final CardPart<String, Long> favourites;
    final CardPart<String, Boolean> favourited;
    final CardPart<String, Boolean> boosted;

    private final Site site;

    StatusParts(StatusRows rows, AccountViews views, Counters counters, Reactions likes, Site site) {
        this.site = site;
        accounts = CardPart.of("accounts", views::byKeys).within(NEEDED);
        originals = CardPart.of(
                        "originals",
                        (Set<String> ids) ->
                                rows.byIds(ids).stream().collect(Collectors.toMap(Status::key, Function.identity())))
                .within(NEEDED);
        mentions = CardPart.of("mentions", (Set<Set<String>> names) -> mentions(names, rows))
                .orElse(List.of());
        replies = CardParts.counter(REPLIES, counters);
        boosts = CardParts.counter(BOOSTS, counters);
        favourites = CardParts.reactions("favourites", likes);
        favourited = CardParts.reacted("favourited", likes);
        boosted = CardPart.forReader("boosted", (String reader, Set<String> ids) -> boosted(reader, ids, rows))
                .orElse(false);
    }

    private static Map<String, Boolean> boosted(String reader, Set<String> ids, StatusRows rows) {
        return rows.boosted(Long.parseLong(reader), ids).stream()
                .collect(Collectors.toMap(Function.identity(), id -> true));
    }

    /** The mentions of some texts, by the names in them. */
    private Map<Set<String>, List<Mention>> mentions(Set<Set<String>> texts, StatusRows rows) {
        Set<String> all = new HashSet<>();
        texts.forEach(all::addAll);
        Map<String, Long> ids = rows.accounts(all);
        Map<Set<String>, List<Mention>> mentions = new HashMap<>();
        for (Set<String> names : texts) {
            mentions.put(
                    names,
                    names.stream()
                            .filter(ids::containsKey)
                            .map(name -> new Mention(
                                    Optional.ofNullable(ids.get(name))
                                            .orElseThrow()
                                            .toString(),
                                    name,
                                    name,
                                    site.url("/@" + name)))
                            .toList());
        }
        return mentions;
    }
}
