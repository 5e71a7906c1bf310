package io.feedkit.spring.internal.diagnostics;

import io.feedkit.spring.InvalidSettingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Shows the property, its value and the remedy. Comes before Spring Boot's analyzers, which explain only the cause. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class InvalidSettingAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {

    public InvalidSettingAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
    }
}
