package io.feedkit.examples.microblog.panel;

import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import java.util.List;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.stereotype.Component;

/** Counts the statements and commands that a thread sends to its stores. */
@Component
class RoundTrips implements BeanPostProcessor, QueryExecutionListener, CommandListener {

    private static final ThreadLocal<int[]> SENT = ThreadLocal.withInitial(() -> new int[1]);

    /** How many this thread has sent until now. */
    static int sent() {
        return SENT.get()[0];
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource dataSource
                ? ProxyDataSourceBuilder.create(name, dataSource).listener(this).build()
                : bean;
    }

    @Override
    public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {}

    @Override
    public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
        SENT.get()[0]++;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        SENT.get()[0]++;
    }
}
