package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spring.SpringTransactions;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("The transactions of Spring")
class SpringTransactionsTest {

    private final DataSource posts = new DriverManagerDataSource("jdbc:h2:mem:posts;DB_CLOSE_DELAY=-1");
    private final DataSource reports = new DriverManagerDataSource("jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1");
    private final SpringTransactions transactions = new SpringTransactions(() -> Optional.of(posts), () -> {});

    private static TransactionTemplate on(DataSource dataSource) {
        return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    }

    @Test
    @DisplayName("are not on a connection that commits each statement, in a transaction on another data source")
    void autocommit() {
        on(reports).executeWithoutResult(status -> {
            JdbcClient.create(posts).sql("select 1").query(Integer.class).single();
            assertThat(transactions.find()).isEmpty();
        });
        on(posts).executeWithoutResult(status -> assertThat(transactions.find()).isPresent());
    }

    @Test
    @DisplayName("are not ended by a reactive one that used the same thread")
    void reactive() {
        transactions.beforeCommit(new ReactiveTransaction() {});
        on(posts).executeWithoutResult(status -> assertThat(transactions.find()).isPresent());
    }
}
