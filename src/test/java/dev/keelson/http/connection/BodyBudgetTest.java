package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BodyBudgetTest {

  @Test
  void take_upToTheBudget() {
    BodyBudget budget = new BodyBudget(100);

    assertThat(budget.take(60)).isTrue();
    assertThat(budget.take(41)).isFalse();
    assertThat(budget.take(40)).isTrue();
    assertThat(budget.used()).isEqualTo(100);
  }

  @Test
  void give_makesRoom() {
    BodyBudget budget = new BodyBudget(100);
    assertThat(budget.take(100)).isTrue();

    budget.give(30);

    assertThat(budget.take(31)).isFalse();
    assertThat(budget.take(30)).isTrue();
  }

  @Test
  void budget_isAShareOfTheMemory() {
    BodyBudget budget = BodyBudget.ofMemory();

    assertThat(budget.take(32L * 1024 * 1024)).isTrue();
    assertThat(budget.take(Runtime.getRuntime().maxMemory())).isFalse();
  }
}
