package io.feedkit.bench.production;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What an engine cost.
 *
 * @param statements round trips to PostgreSQL: statements, commits and rollbacks
 * @param scripts scripts that Redis ran
 * @param own seconds of processor time of this program
 * @param postgres seconds of PostgreSQL
 * @param redis seconds of Redis
 */
record Costs(double statements, double scripts, double own, double postgres, double redis) {

    private static final double NANOS_A_SECOND = 1e9;

    static final Costs NONE = new Costs(0, 0, 0, 0, 0);

    Costs plus(Costs more) {
        return new Costs(
                statements + more.statements,
                scripts + more.scripts,
                own + more.own,
                postgres + more.postgres,
                redis + more.redis);
    }

    /** The costs since earlier ones. */
    Costs since(Costs before) {
        return new Costs(
                statements - before.statements,
                scripts - before.scripts,
                own - before.own,
                postgres - before.postgres,
                redis - before.redis);
    }

    /** The processor time of this program. */
    static double ownSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / NANOS_A_SECOND;
    }
}
