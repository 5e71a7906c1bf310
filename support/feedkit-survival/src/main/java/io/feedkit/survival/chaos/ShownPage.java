package io.feedkit.survival.chaos;

import io.feedkit.Post;
import java.util.List;

/**
 * A page that a reader was given.
 *
 * @param call how the reader got it
 * @param posts what it shows
 * @param last whether nothing follows: below a page read downwards, or above a page of new posts
 * @param hydrated whether it was read with content
 * @param stale whether it says that it may be stale
 */
record ShownPage(Call call, List<Post> posts, boolean last, boolean hydrated, boolean stale) {

    ShownPage {
        posts = List.copyOf(posts);
    }
}
