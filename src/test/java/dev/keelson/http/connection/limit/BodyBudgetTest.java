package dev.keelson.http.connection.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Eventually;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BodyBudgetTest {

  /** The largest body, which takes all turns of a small budget. */
  private static final int LARGEST = 3 * 1024 * 1024;

  private static BodyBudget.Owner large(String user) {
    return new BodyBudget.Owner(user, /* small= */ false);
  }

  private static BodyBudget.Account account(BodyBudget budget, String user) {
    return Objects.requireNonNull(budget.claim(large(user), 0, 0));
  }

  @Test
  void bytesThatNobodyHasAskedFor_takeHalf() {
    BodyBudget budget = new BodyBudget(100);

    assertThat(budget.take(30, null)).isTrue();
    assertThat(budget.take(21, null)).isFalse();
    assertThat(budget.take(20, null)).isTrue();
    assertThat(budget.used()).isEqualTo(50);
  }

  @Test
  void user_takesAsMuchAsIsFreeThen() {
    BodyBudget budget = new BodyBudget(100);
    BodyBudget.Account first = account(budget, "first");
    BodyBudget.Account second = account(budget, "second");

    assertThat(budget.take(51, first)).isFalse();
    assertThat(budget.take(50, first)).isTrue();
    assertThat(budget.take(26, second)).isFalse();
    assertThat(budget.take(25, second)).isTrue();
    assertThat(budget.take(1, first)).isFalse();
    assertThat(budget.take(25, null)).isTrue();
    assertThat(budget.take(1, null)).isFalse();
    assertThat(budget.used()).isEqualTo(100);
  }

  @Test
  void accountsOfOneUser_areOne() {
    BodyBudget budget = new BodyBudget(100);
    BodyBudget.Account first = account(budget, "user");
    BodyBudget.Account second = account(budget, "user");
    assertThat(budget.take(50, first)).isTrue();

    assertThat(budget.take(1, second)).isFalse();
    budget.leave(first);
    assertThat(budget.owners()).isEqualTo(1);
    budget.leave(second);
    assertThat(budget.owners()).isZero();
  }

  @Test
  void claim_ofMoreThanIsFree_changesNothing() {
    BodyBudget budget = new BodyBudget(100);
    BodyBudget.Account other = account(budget, "other");
    assertThat(budget.take(50, null)).isTrue();
    assertThat(budget.take(25, other)).isTrue();

    assertThat(budget.claim(large("user"), 50, 0)).isNull();

    assertThat(budget.owners()).isEqualTo(1);
    assertThat(budget.used()).isEqualTo(75);
    assertThat(budget.take(1, null)).isFalse();
    assertThat(budget.claim(large("user"), 25, 0)).isNotNull();
    assertThat(budget.take(1, null)).isTrue();
  }

  @Test
  void smallBodies_haveAPartOfTheirOwn() {
    BodyBudget budget = new BodyBudget(80);
    assertThat(budget.take(40, account(budget, "user"))).isTrue();
    BodyBudget.Owner small = new BodyBudget.Owner("user", /* small= */ true);

    BodyBudget.Account own = Objects.requireNonNull(budget.claim(small, 0, 8));
    assertThat(budget.take(2, own)).isTrue();
    assertThat(budget.take(1, own)).isFalse();
    assertThat(budget.claim(small, 0, 1)).isNull();
    assertThat(budget.used()).isEqualTo(50);
  }

  @Test
  void claim_beyondAll_isRefused() {
    BodyBudget budget = new BodyBudget(80);
    assertThat(budget.take(40, null)).isTrue();
    for (String user : List.of("a", "b", "c", "d")) {
      assertThat(budget.claim(new BodyBudget.Owner(user, true), 0, 10)).isNotNull();
    }

    assertThat(budget.claim(new BodyBudget.Owner("e", true), 0, 1)).isNull();
    assertThat(budget.used()).isEqualTo(80);
  }

  @Test
  void smallBodyThatIsComplete_isNobodys() {
    BodyBudget budget = new BodyBudget(100_000);
    BudgetShare share = new BudgetShare(budget);
    assertThat(share.take(10)).isTrue();

    assertThat(share.claim(large("user"), /* complete= */ true)).isTrue();
    assertThat(budget.owners()).isZero();
    assertThat(share.claim(large("user"), /* complete= */ false)).isTrue();
    assertThat(budget.owners()).isEqualTo(1);

    share.end();
    assertThat(budget.owners()).isZero();
    assertThat(budget.used()).isZero();
  }

  @Test
  void give_makesRoom() {
    BodyBudget budget = new BodyBudget(100);
    assertThat(budget.take(50, null)).isTrue();

    budget.give(30, null);

    assertThat(budget.take(31, null)).isFalse();
    assertThat(budget.take(30, null)).isTrue();
  }

  @Test
  void bytesOfARequestThatHasEnded_countUntilItsThreadLetsGoOfThem() {
    BodyBudget budget = new BodyBudget(120);
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
    BodyBudget budget = new BodyBudget(120);
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

    assertThat(budget.take(16L * 1024 * 1024, null)).isTrue();
    assertThat(budget.take(Runtime.getRuntime().maxMemory() / 16, null)).isFalse();
  }

  @Test
  void largeBodies_waitForEachOther() throws Exception {
    BodyBudget budget = new BodyBudget(100);
    int first = budget.await(LARGEST);
    int small = budget.await(BodyBudget.SMALL_BYTES);
    AtomicInteger second = new AtomicInteger();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    second.set(budget.await(LARGEST));
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
