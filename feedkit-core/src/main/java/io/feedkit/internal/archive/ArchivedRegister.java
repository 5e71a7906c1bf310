package io.feedkit.internal.archive;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The pulled register of an outbox with an archive. A retraction ends after the post was deleted from the archive, so
 * the task of the delete repeats that until it has succeeded. A retraction ends a lease after the delete, so the copy
 * of a mover that did not know of the delete is deleted, too.
 */
record ArchivedRegister(PulledRegister register, PostArchive archive, ArchiveBoundary boundary)
        implements PulledRegister {

    @Override
    public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
        return register.update(since, authors, wholeUpTo);
    }

    @Override
    public void put(List<Post> unpushed) {
        register.put(unpushed);
    }

    @Override
    public boolean remove(String author, long version) {
        return register.remove(author, version);
    }

    @Override
    public void retracted(List<PostKey> retracted) {
        if (!retracted.isEmpty() && boundary.afterRead() > 0) {
            archive.delete(retracted);
        }
        register.retracted(retracted);
    }
}
