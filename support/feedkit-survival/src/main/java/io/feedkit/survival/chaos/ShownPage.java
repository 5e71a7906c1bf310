package io.feedkit.survival.chaos;

import io.feedkit.Post;
import java.util.List;

/**
 * A page that a reader got.
 *
 * @param call the call that read it
 * @param posts the posts on the page
 * @param last whether no further page follows: below a page read downwards, or above a page of new posts
 * @param hydrated whether it was read with content
 * @param stale whether it says that it may be stale
 */
record ShownPage(Call call, List<Post> posts, boolean last, boolean hydrated, boolean stale) {

    ShownPage {
        posts = List.copyOf(posts);
    }
}
