package io.feedkit.internal.verify;

import io.feedkit.FollowCounts;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.verify.Finding;
import io.feedkit.verify.FindingKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Compares both sides of a user's edges, and the stored counts with the edges. An edge that only the reader's side has
 * is found among the reader's followees; any other, among the author's followers. For use by one thread.
 */
final class GraphCheck implements Check<String> {

    private static final int PAGE = 1000;

    /** Users with more followers or followees are looked at one by one. */
    private static final int FEW_EDGES = 200;

    private static final FollowCounts NO_EDGES = new FollowCounts(0, 0);

    /** How many one-sided edges of a user are handled at once; the next run finds the others. */
    private static final int MOST_EDGES = 10_000;

    private final WritableFollowGraph graph;
    private final VerifyRun run;

    GraphCheck(WritableFollowGraph graph, VerifyRun run) {
        this.graph = graph;
        this.run = run;
    }

    @Override
    public Look look(String user, Look before) {
        List<Finding> findings = new ArrayList<>();
        FollowCounts stored = counts(user);
        long followees = count(after -> graph.followees(user, after, PAGE), author -> new Edge(user, author), findings);
        long followers = count(
                after -> graph.followers(List.of(new FollowerQuery(user, KeyRange.ALL, after, PAGE)))
                        .get(0),
                reader -> new Edge(reader, user),
                findings);
        FollowCounts counted = new FollowCounts(followers, followees);
        if (run.isStopped() || findings.size() >= MOST_EDGES || stored.equals(counted)) {
            return Look.of(findings);
        }
        findings.add(Finding.builder(FindingKind.FOLLOW_COUNT_WRONG)
                .reader(user)
                .sentence("User " + user + " has " + followers + " followers and " + followees
                        + " followees, but the stored counts are " + stored.followers() + " and " + stored.followees()
                        + ".")
                .build());
        return Look.of(findings).ifUnchanged(counts(user).equals(stored));
    }

    /** Looks at users with few edges. The counts are read first; if they change meanwhile, they differ. */
    @Override
    public Set<String> sound(List<String> users) {
        Map<String, FollowCounts> stored = graph.counts(users);
        List<IdPage> followees = graph.followees(users, FEW_EDGES);
        List<IdPage> followers = graph.followers(users.stream()
                .map(user -> new FollowerQuery(user, KeyRange.ALL, "", FEW_EDGES))
                .toList());
        List<Edge> edges = new ArrayList<>();
        Set<String> sound = new HashSet<>();
        for (int i = 0; i < users.size(); i++) {
            String user = users.get(i);
            IdPage authors = followees.get(i);
            IdPage readers = followers.get(i);
            FollowCounts counted =
                    new FollowCounts(readers.ids().size(), authors.ids().size());
            if (!authors.more() && !readers.more() && counted.equals(stored.getOrDefault(user, NO_EDGES))) {
                authors.ids().forEach(author -> edges.add(new Edge(user, author)));
                readers.ids().forEach(reader -> edges.add(new Edge(reader, user)));
                sound.add(user);
            }
        }
        for (int from = 0; from < edges.size(); from += PAGE) {
            for (Edge edge : graph.oneSided(edges.subList(from, Math.min(edges.size(), from + PAGE)))) {
                sound.remove(edge.reader());
                sound.remove(edge.author());
            }
        }
        return sound;
    }

    private FollowCounts counts(String user) {
        return graph.counts(List.of(user)).getOrDefault(user, NO_EDGES);
    }

    /** Walks through edges. Every page after the first waits for its turn. */
    private long count(Function<String, IdPage> pages, Function<String, Edge> edges, List<Finding> findings) {
        long count = 0;
        String after = "";
        boolean more = true;
        while (more && findings.size() < MOST_EDGES && (count == 0 || run.next())) {
            IdPage page = pages.apply(after);
            addOneSided(page.ids().stream().map(edges).toList(), findings);
            count += page.ids().size();
            more = page.more();
            after = more ? page.ids().get(page.ids().size() - 1) : after;
        }
        return count;
    }

    private void addOneSided(List<Edge> edges, List<Finding> findings) {
        if (edges.isEmpty()) {
            return;
        }
        for (Edge edge : graph.oneSided(edges)) {
            findings.add(Finding.builder(FindingKind.EDGE_ON_ONE_SIDE)
                    .reader(edge.reader())
                    .author(edge.author())
                    .sentence("Only one side of the graph has the edge from reader " + edge.reader() + " to author "
                            + edge.author() + ".")
                    .build());
        }
    }

    @Override
    public void repair(String user, List<Finding> findings) {
        List<Edge> edges = findings.stream()
                .filter(finding -> finding.kind() == FindingKind.EDGE_ON_ONE_SIDE)
                .map(finding -> new Edge(
                        finding.reader().orElseThrow(), finding.author().orElseThrow()))
                .toList();
        for (int from = 0; from < edges.size(); from += PAGE) {
            graph.settle(edges.subList(from, Math.min(edges.size(), from + PAGE)));
        }
        if (findings.stream().anyMatch(finding -> finding.kind() == FindingKind.FOLLOW_COUNT_WRONG)) {
            graph.recount(List.of(user));
        }
    }
}
