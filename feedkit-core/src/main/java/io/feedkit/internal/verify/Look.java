package io.feedkit.internal.verify;

import io.feedkit.verify.Finding;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one look at a thing has found.
 *
 * @param findings the differences
 * @param appendedBy the posts of the differences were appended by this time of the store's clock; {@code 0} if the
 *     differences are not about posts that may still be under way
 * @param epoch the reader's follow epoch; {@code 0} if no reader is concerned
 * @param status whether the differences mean something
 */
record Look(List<Finding> findings, long appendedBy, long epoch, Status status) {

    enum Status {
        /** The thing did not change during the look. */
        DECIDED,
        /** The thing changed during the look, so the differences mean nothing. */
        CHANGED,
        /** Posts of the differences may still be under way, so there was no look. */
        UNSETTLED
    }

    /** No look. */
    static final Look NONE = new Look(List.of(), 0, 0, Status.DECIDED);

    /** A look that came too early. */
    static final Look UNSETTLED = new Look(List.of(), 0, 0, Status.UNSETTLED);

    Look {
        findings = List.copyOf(findings);
    }

    static Look of(List<Finding> findings) {
        return new Look(findings, 0, 0, Status.DECIDED);
    }

    /** This look, which the thing may have changed during. */
    Look ifUnchanged(boolean unchanged) {
        return unchanged ? this : new Look(findings, appendedBy, epoch, Status.CHANGED);
    }

    /** The authors that the differences are about. */
    Set<String> authors() {
        return findings.stream().flatMap(finding -> finding.author().stream()).collect(Collectors.toSet());
    }

    boolean has(Finding finding) {
        return findings.stream().anyMatch(finding::isAboutSame);
    }
}
