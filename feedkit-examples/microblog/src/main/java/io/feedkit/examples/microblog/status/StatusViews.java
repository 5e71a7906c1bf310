package io.feedkit.examples.microblog.status;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostLoader;
import io.feedkit.cards.Card;
import io.feedkit.cards.PageAssembly;
import io.feedkit.examples.microblog.web.ListPage;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Reads statuses as JSON: pages of feeds, and statuses by themselves. */
@Component
public class StatusViews {

    private static final Logger log = LoggerFactory.getLogger(StatusViews.class);

    /** A reader who has done nothing with any status. */
    private static final String NOBODY = "0";

    private final FeedEngine feed;
    private final StatusRows rows;
    private final StatusParts parts;

    StatusViews(FeedEngine feed, StatusRows rows, StatusParts parts) {
        this.feed = feed;
        this.rows = rows;
        this.parts = parts;
    }

    public ListPage<StatusView> home(String reader, PageRequest request, PostLoader<Status> loader) {
        StatusCards cards = new StatusCards(parts, loader);
        return page(feed.read(reader, request, cards.assembly()), cards);
    }

    public ListPage<StatusView> ofAccount(
            String author, PageRequest request, String reader, PostLoader<Status> loader) {
        StatusCards cards = new StatusCards(parts, loader);
        return page(feed.readAuthor(author, request, reader, cards.assembly()), cards);
    }

    private static ListPage<StatusView> page(FeedPage<Card> page, StatusCards cards) {
        return new ListPage<>(views(page.items(), cards), page.older(), page.newer(), page.moreNewer());
    }

    private static List<StatusView> views(List<Card> cards, StatusCards kind) {
        return cards.stream().map(kind::view).flatMap(Optional::stream).toList();
    }

    /** A page of the home feed in the order of a ranker. */
    public RankedPage<StatusView> ranked(String reader, RankRequest request, Ranker ranker) {
        StatusCards cards = new StatusCards(parts, rows::load);
        PageAssembly assembly = cards.assembly();
        RankedPage<Card> page = feed.ranked(reader, request, ranker, assembly.contentLoader());
        return RankedPage.of(views(loaded(reader, page.items(), assembly), cards), page.next(), page.caveats());
    }

    /** Statuses in the given order, as a reader sees them. */
    public List<StatusView> of(String reader, List<Status> statuses) {
        Map<Post, Status> known = statuses.stream().collect(Collectors.toMap(Status::post, Function.identity()));
        StatusCards cards = new StatusCards(parts, posts -> known);
        PageAssembly assembly = cards.assembly();
        List<Post> posts = statuses.stream().map(Status::post).toList();
        Map<Post, Card> contents = assembly.contentLoader().load(posts);
        List<Card> inOrder =
                posts.stream().map(contents::get).filter(Objects::nonNull).toList();
        return views(loaded(reader, inOrder, assembly), cards);
    }

    public Optional<StatusView> of(String reader, Status status) {
        return of(reader, List.of(status)).stream().findFirst();
    }

    /** The existing statuses of these ids, by id, without likes and boosts of a reader. */
    public Map<String, StatusView> forAnybody(List<String> ids) {
        return of(NOBODY, rows.byIds(ids)).stream().collect(Collectors.toMap(StatusView::id, Function.identity()));
    }

    /** On this thread, so that a handler that just wrote a status needs no second connection at the same time. */
    private static List<Card> loaded(String reader, List<Card> cards, PageAssembly assembly) {
        return assembly.load(
                reader, cards, Runnable::run, (failed, cause) -> log.debug("cannot load {}", failed, cause));
    }
}
