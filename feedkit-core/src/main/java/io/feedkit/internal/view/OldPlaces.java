package io.feedkit.internal.view;

import io.feedkit.Post;
import java.util.List;
import java.util.Set;

/**
 * Finds entries of inboxes at places that their posts have left. An archived post may be published again at another
 * time, or deleted after that; inboxes keep its old place until they are compared.
 */
@FunctionalInterface
public interface OldPlaces {

    /** Without an archive, no post leaves its place. */
    OldPlaces NONE = entries -> Set.of();

    /** The entries that do not count. */
    Set<Post> among(List<Post> entries);
}
