package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import java.util.concurrent.atomic.AtomicInteger;
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
  void bytesOfARequestThatHasEnded_countUntilItsThreadLetsGoOfThem() {
    BodyBudget budget = new BodyBudget(100);
    BudgetShare share = new BudgetShare(budget);
    assertThat(share.take(60)).isTrue();
    assertThat(share.hold()).isTrue();

    share.end();
    assertThat(budget.used()).isEqualTo(60);
    assertThat(new BudgetShare(budget).take(60)).isFalse();

    share.letGo();
    assertThat(budget.used()).isZero();
  }

  @Test
  void bytesOfARequestThatHasEnded_areNotHandled() {
    BodyBudget budget = new BodyBudget(100);
    BudgetShare share = new BudgetShare(budget);
    assertThat(share.take(60)).isTrue();

    share.end();

    assertThat(share.hold()).isFalse();
    assertThat(budget.used()).isZero();
    share.letGo();
    assertThat(budget.used()).isZero();
  }

  @Test
  void budget_isAShareOfTheMemory() {
    BodyBudget budget = BodyBudget.ofMemory();

    assertThat(budget.take(32L * 1024 * 1024)).isTrue();
    assertThat(budget.take(Runtime.getRuntime().maxMemory())).isFalse();
  }

  @Test
  void largeBodies_waitForEachOther() throws Exception {
    BodyBudget budget = new BodyBudget(100);
    int first = budget.await(RequestBody.MAX_BYTES);
    int small = budget.await(BodyBudget.SMALL_BYTES);
    AtomicInteger second = new AtomicInteger();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    second.set(budget.await(RequestBody.MAX_BYTES));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Eventually.assertEventually(
        () -> assertThat(waiting.getState()).isEqualTo(Thread.State.WAITING));
    assertThat(second).hasValue(0);

    budget.handled(first);
    waiting.join();

    assertThat(small).isZero();
    assertThat(second).hasValue(first);
  }
}
