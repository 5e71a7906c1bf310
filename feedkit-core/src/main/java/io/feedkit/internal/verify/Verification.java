package io.feedkit.internal.verify;

import io.feedkit.internal.host.GuardedListener;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Compares an engine's store with its source of truth, in stages. Thread-safe. */
public final class Verification {

    private final List<VerifyStage> stages;
    private final GuardedListener listener;

    /**
     * A verification.
     *
     * @param stages the stages in their order. The register and the graph come before the inboxes, because a repaired
     *     register or edge changes what an inbox should hold
     */
    public Verification(List<VerifyStage> stages, GuardedListener listener) {
        this.stages = stages;
        this.listener = listener;
    }

    /**
     * Compares all stages.
     *
     * @param isEngineClosed whether the run must end because the engine was closed
     */
    public VerifyReport run(VerifyRequest request, BooleanSupplier isEngineClosed) {
        VerifyRun run = new VerifyRun(request, isEngineClosed);
        stages.forEach(stage -> stage.compare(run));
        VerifyReport report = run.report();
        listener.notify(each -> each.verified(report));
        return report;
    }
}
