# shellcheck shell=bash
# Flaws of copies of inboxes in the engine; see check-flaws.sh.

backend copies feedkit-core 'io/feedkit/InboxCopiesTest,io/feedkit/internal/copies/*Test'
java=feedkit-core/src/main/java/io/feedkit/internal

if flaw deletions-since-the-return InboxCopiesTest; then
    # Posts that were deleted between copy and return come back.
    replace "$java/copies/CaughtUpPosts.java" 'shown, Math.min(mark, copy.mark())' 'shown, mark'
    caught
fi

if flaw appends-since-the-return InboxCopiesTest; then
    # Posts that were published between copy and return are missing.
    replace "$java/copies/CaughtUpPosts.java" \
        'outbox.appendedSince(authors, copy.mark() - SET_BACK_MILLIS' \
        'outbox.appendedSince(authors, outbox.settledMark() - SET_BACK_MILLIS'
    caught
fi

if flaw unfollowed-authors InboxCopiesTest; then
    # The inbox has posts of authors who are not followed any more.
    replace "$java/copies/CaughtUpPosts.java" \
        'copy.posts().stream().filter(post -> wanted.contains(post.author())).forEach(' \
        'copy.posts().stream().filter(post -> wanted != null).forEach('
    caught
fi

if flaw new-followees-are-known InboxCopiesTest; then
    # Authors who are followed since the copy count as authors of the copy.
    replace "$java/copies/Copy.java" \
        'Arrays.binarySearch(followees, FolloweeSet.number(author)) >= 0' \
        'Arrays.binarySearch(followees, FolloweeSet.number(author)) >= -100'
    caught
fi

if flaw archive-is-forgotten InboxCopiesTest; then
    # The inbox claims to be complete where posts may have moved to the archive.
    replace "$java/copies/CaughtUpPosts.java" \
        'union.raise(new Position(archiveBoundary.getAsLong(), "", ""));' \
        'archiveBoundary.getAsLong();'
    caught
fi

if flaw damage-is-not-noticed CopyFormatTest; then
    # Damaged parts are used.
    replace "$java/copies/CopyFormat.java" \
        'require(in.readInt() == checksum(content, content.length));' \
        'in.readInt();'
    caught
fi
