package io.feedkit.spring.internal.diagnostics;

import io.feedkit.spring.InvalidSettingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the property, its value and the remedy. */
public final class InvalidSettingAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {

    public InvalidSettingAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
    }
}
