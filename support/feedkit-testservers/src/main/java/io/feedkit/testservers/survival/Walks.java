package io.feedkit.testservers.survival;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Walks down the pages of a whole feed. */
public final class Walks {

    private static final int PAGE = 50;

    private Walks() {}

    /**
     * Walks down without the host's content.
     *
     * @param feed the engine
     * @param reader whose feed
     * @return the posts of all pages
     */
    public static List<Post> plain(FeedEngine feed, String reader) {
        return down(request -> feed.read(reader, request));
    }

    /**
     * Walks down an author's own posts.
     *
     * @param feed the engine
     * @param author whose posts
     * @return the posts of all pages
     */
    public static List<Post> ofAuthor(FeedEngine feed, String author) {
        return down(request -> feed.readAuthor(author, request));
    }

    private static List<Post> down(Function<PageRequest, FeedPage<Post>> read) {
        List<Post> shown = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(first());
        while (next.isPresent()) {
            FeedPage<Post> page = read.apply(next.get());
            shown.addAll(page.items());
            next = page.older().map(Walks::below);
        }
        return shown;
    }

    /** Reads a page with content. The host has the content of all posts. */
    static FeedPage<Post> hydrated(FeedEngine feed, String reader, PageRequest request) {
        return feed.read(reader, request, posts -> posts.stream().collect(toMap(identity(), identity())));
    }

    /**
     * Returns the request for the first page of a walk.
     *
     * @return the request
     */
    public static PageRequest first() {
        return PageRequest.first(PAGE);
    }

    static PageRequest below(Cursor cursor) {
        return PageRequest.older(cursor, PAGE);
    }
}
