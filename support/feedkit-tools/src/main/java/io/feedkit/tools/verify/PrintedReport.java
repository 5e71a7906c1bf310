package io.feedkit.tools.verify;

import io.feedkit.verify.Finding;
import io.feedkit.verify.VerifyReport;
import java.io.PrintWriter;

/** Prints a report: what was compared, how many findings of each kind there are, and the first of them. */
final class PrintedReport {

    private final VerifyReport report;
    private final PrintWriter out;

    PrintedReport(VerifyReport report, PrintWriter out) {
        this.report = report;
        this.out = out;
    }

    void print() {
        report.checked().forEach((stage, count) -> out.println(ProgressLines.name(stage) + " compared: " + count));
        report.unlisted()
                .forEach(stage ->
                        out.println(ProgressLines.name(stage) + " compared: no, because the store cannot list them"));
        report.incomplete()
                .forEach(stage -> out.println(ProgressLines.name(stage)
                        + " compared: not all, because a store could not be reached while they were listed"));
        out.println("findings: " + found());
        report.counts().forEach((kind, count) -> out.println("  " + kind + ": " + count));
        printIfAny("repaired", report.repaired());
        printIfAny("undecided", report.undecided());
        printIfAny("failed", report.failed());
        report.findings().forEach(this::print);
        if (found() > report.findings().size()) {
            out.println("... and " + (found() - report.findings().size()) + " more");
        }
        if (report.isStopped()) {
            out.println("stopped before the end");
        }
        out.println("seconds: " + report.took().toMillis() / 1000.0);
        out.flush();
    }

    private long found() {
        return report.counts().values().stream().mapToLong(Long::longValue).sum();
    }

    private void printIfAny(String name, long number) {
        if (number > 0) {
            out.println(name + ": " + number);
        }
    }

    private void print(Finding finding) {
        out.println(finding.sentence()
                + switch (finding.repair()) {
                    case NONE -> "";
                    case DONE -> " Repaired.";
                    case LEFT_TO_WORKERS -> " Left to the workers.";
                    case FAILED -> " NOT repaired.";
                });
    }
}
