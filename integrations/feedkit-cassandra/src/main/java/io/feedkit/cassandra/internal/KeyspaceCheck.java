package io.feedkit.cassandra.internal;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.feedkit.cassandra.UnusableKeyspaceException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Decides whether copies can be kept in a keyspace. It only reads. */
public final class KeyspaceCheck {

    /** With fewer replicas, a quorum needs all of them. */
    private static final int SAFE_REPLICAS = 3;

    private static final String OPERATION = "copies.check";

    private final Calls calls;
    private final Calls later;
    private final CopyTables tables;
    private final String prefix;
    private final int replicas;

    /**
     * A check.
     *
     * @param calls how the check asks
     * @param later how the prepared statements will be sent
     */
    public KeyspaceCheck(Calls calls, Calls later, CopyTables tables, String prefix, int replicas) {
        this.calls = calls;
        this.later = later;
        this.tables = tables;
        this.prefix = prefix;
        this.replicas = replicas;
    }

    /**
     * Checks a keyspace.
     *
     * @throws UnusableKeyspaceException if it cannot be used
     * @throws io.feedkit.StoreUnavailableException if the server does not answer
     */
    public CheckedKeyspace run() {
        Set<String> local = datacenters(node -> node.getDistance() == NodeDistance.LOCAL);
        if (local.isEmpty()) {
            throw refused("the session has no node in its local datacenter: check the name of the datacenter in the"
                    + " session's load balancing policy, and that its nodes are known");
        }
        requireReplicas(local);
        List<String> dangers = dangers(gcGraceSeconds());
        requireVersion();
        return new CheckedKeyspace(CopyStatements.prepare(calls, later, tables), dangers);
    }

    private interface Wanted {
        boolean test(Node node);
    }

    private Set<String> datacenters(Wanted wanted) {
        Collection<Node> nodes = calls.session().getMetadata().getNodes().values();
        Set<String> names = new TreeSet<>();
        for (Node node : nodes) {
            String name = node.getDatacenter();
            if (name != null && wanted.test(node)) {
                names.add(name);
            }
        }
        return names;
    }

    private void requireReplicas(Set<String> local) {
        Map<String, String> replication = calls
                .run(
                        OPERATION,
                        "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?",
                        tables.keyspace())
                .stream()
                .findFirst()
                .map(row -> row.getMap("replication", String.class, String.class))
                .orElseThrow(() -> refused("it does not exist: run CREATE KEYSPACE " + wanted(local)));
        String strategy = String.valueOf(replication.get("class"));
        if (strategy.endsWith(".NetworkTopologyStrategy")) {
            for (String name : local) {
                requireReplicas(name, Optional.ofNullable(replication.get(name)), local);
            }
        } else if (strategy.endsWith(".SimpleStrategy")) {
            Set<String> all = datacenters(node -> true);
            if (all.size() > 1) {
                throw refused("SimpleStrategy ignores the datacenters " + String.join(", ", all)
                        + ": run ALTER KEYSPACE " + wanted(local));
            }
            requireReplicas(all.iterator().next(), Optional.ofNullable(replication.get("replication_factor")), local);
        } else {
            throw refused("its replication has the class " + strategy + ", but must have NetworkTopologyStrategy:"
                    + " run ALTER KEYSPACE " + wanted(local));
        }
    }

    private void requireReplicas(String datacenter, Optional<String> found, Set<String> local) {
        if (!found.equals(Optional.of(Integer.toString(replicas)))) {
            throw refused("it has " + found.orElse("0") + " replicas in the datacenter " + datacenter
                    + ", but replicas is " + replicas + ": set replicas(" + found.orElse("0")
                    + "), or run ALTER KEYSPACE " + wanted(local) + " and repair it");
        }
    }

    /** The rest of a statement that creates or alters the keyspace as wanted. */
    private String wanted(Set<String> local) {
        return tables.quotedKeyspace() + " WITH replication = "
                + local.stream()
                        .map(name -> "'" + name + "': " + replicas)
                        .collect(joining(", ", "{'class': 'NetworkTopologyStrategy', ", "}"));
    }

    private Map<String, Integer> gcGraceSeconds() {
        Map<String, Integer> found = new TreeMap<>();
        for (Row row : calls.run(
                OPERATION,
                "SELECT table_name, gc_grace_seconds FROM system_schema.tables WHERE keyspace_name = ?",
                tables.keyspace())) {
            found.put(String.valueOf(row.getString("table_name")), row.getInt("gc_grace_seconds"));
        }
        Set<String> wanted = new TreeSet<>(Set.of(CopyTables.HEADS, CopyTables.PARTS, CopyTables.SOURCES));
        Set<String> missing =
                wanted.stream().filter(name -> !found.containsKey(name)).collect(toCollection(TreeSet::new));
        if (!missing.isEmpty()) {
            throw refused("it lacks the tables " + String.join(", ", missing)
                    + ": call CassandraInboxCopies.createTables(session, \"" + tables.keyspace() + "\")");
        }
        found.keySet().retainAll(wanted);
        return found;
    }

    private List<String> dangers(Map<String, Integer> gcGraceSeconds) {
        List<String> dangers = new ArrayList<>();
        if (replicas < SAFE_REPLICAS) {
            dangers.add("with " + replicas + (replicas == 1 ? " replica" : " replicas")
                    + " some copies cannot be read or written while one node is down: use " + SAFE_REPLICAS);
        }
        gcGraceSeconds.forEach((table, seconds) -> {
            if (seconds == 0) {
                dangers.add("gc_grace_seconds of " + tables.keyspace() + "." + table
                        + " is 0, so a node that was down gets no hints: set it to 10800");
            }
        });
        return dangers;
    }

    private void requireVersion() {
        for (Row row : calls.run(OPERATION, tables.selectSource(), prefix)) {
            requireVersion(tables, prefix, row.getInt("version"));
        }
    }

    /** Refuses copies of another version. */
    public static void requireVersion(CopyTables tables, String prefix, int found) {
        if (found != CopyTables.VERSION) {
            throw new UnusableKeyspaceException(
                    tables.keyspace(),
                    "the copies with the prefix " + prefix + " have version " + found + ", but this library needs "
                            + CopyTables.VERSION + ": use the library that wrote them, or another prefix");
        }
    }

    private UnusableKeyspaceException refused(String problem) {
        return new UnusableKeyspaceException(tables.keyspace(), problem);
    }
}
