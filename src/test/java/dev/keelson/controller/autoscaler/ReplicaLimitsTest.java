package dev.keelson.controller.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.autoscaler.ReplicaLimits.Limited;
import dev.keelson.controller.autoscaler.ScalingRules.Policy;
import dev.keelson.controller.autoscaler.ScalingRules.Select;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are the cases of Kubernetes' {@code podautoscaler/horizontal_test.go}. */
final class ReplicaLimitsTest {

  private static final Instant NOW = ScaledPods.NOW;

  private final ScalingHistory history = new ScalingHistory(() -> NOW);

  /** Policies as {@code PODS/SECONDS} and {@code PERCENT%/SECONDS}; null for the default. */
  private static ScalingRules rules(@Nullable String text, boolean up, Select select) {
    if (text == null) {
      Duration period = Duration.ofSeconds(15);
      Policy percent = new Policy(true, 100, period);
      return new ScalingRules(
          null, select, up ? List.of(new Policy(false, 4, period), percent) : List.of(percent));
    }
    List<Policy> policies = new ArrayList<>();
    for (String each : text.split(" ", -1)) {
      String[] parts = each.split("/", -1);
      policies.add(
          new Policy(
              parts[0].endsWith("%"),
              Integer.parseInt(parts[0].replace("%", "")),
              Duration.ofSeconds(Long.parseLong(parts[1]))));
    }
    return new ScalingRules(null, select, policies);
  }

  /** Spreads changes evenly over two minutes, the oldest first. */
  private void changes(@Nullable String changes, int sign) {
    String[] all = changes == null ? new String[0] : changes.split(" ", -1);
    double segment = all.length == 0 ? 0 : 120.0 / all.length;
    for (int i = 0; i < all.length; i++) {
      long before = (long) (120 - segment * (i + 1) + segment / 2);
      history.changed(sign * Integer.parseInt(all[i]), NOW.minusSeconds(before));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5, 7, 3, 8, 7, DesiredWithinRange",
    "3, 1, 2, 8, 2, TooFewReplicas",
    "1, 0, 0, 10, 0, DesiredWithinRange",
    "20, 1000, 1, 10, 10, TooManyReplicas",
    "3, 1000, 1, 2000, 6, ScaleUpLimit",
    "1, 1000, 1, 2000, 4, ScaleUpLimit",
  })
  void withoutBehavior(int current, int desired, int min, int max, int replicas, String reason) {
    Limited limited = new ReplicaLimits(min, max).within(current, desired);

    assertThat(limited.replicas()).isEqualTo(replicas);
    assertThat(limited.why().reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          within                        |       |       | | | 3 | 8    | 5   | 7    | 7   | DesiredWithinRange
          too few                       |       |       | | | 2 | 8    | 3   | 1    | 2   | TooFewReplicas
          none                          |       |       | | | 0 | 10   | 1   | 0    | 0   | DesiredWithinRange
          too many                      |       |       | | | 1 | 10   | 20  | 1000 | 10  | TooManyReplicas
          more than the maximum         |       |       | | | 100 | 150 | 100 | 1000 | 150 | TooManyReplicas
          own policy                    | 1%/60 |       | | | 1 | 2000 | 3   | 1000 | 4   | ScaleUpLimit
          default                       |       |       | | | 1 | 1000 | 10  | 50   | 20  | ScaleUpLimit
          pods more than percent        | 100/60 100%/60 | | | | 1 | 1000 | 10 | 500 | 110 | ScaleUpLimit
          percent more than pods        | 2/60 100%/60 | | | | 1 | 1000 | 10 | 500  | 20  | ScaleUpLimit
          many pods                     | 100/60 |      | | | 1 | 1000 | 10  | 50   | 50  | DesiredWithinRange
          very many pods                | 10000/60 |    | | | 1 | 1000 | 10  | 50   | 50  | DesiredWithinRange
          some pods                     | 30/60 |       | | | 1 | 1000 | 10  | 50   | 40  | ScaleUpLimit
          percent                       | 200%/60 |     | | | 1 | 1000 | 10  | 50   | 30  | ScaleUpLimit
          down, pods                    |       | 20/60 1%/60 | | | 1 | 1000 | 100 | 2 | 80 | ScaleDownLimit
          down, more pods than percent  |       | 2/60 1%/60 | | | 1 | 1000 | 100 | 2 | 98 | ScaleDownLimit
          down to the minimum           |       | 100/60 | | | 1 | 1000 | 10 | 0    | 1   | TooFewReplicas
          down to a higher minimum      |       | 100%/60 | | | 5 | 1000 | 10 | 2   | 5   | TooFewReplicas
          down, some pods               |       | 5/60  | | | 1 | 1000 | 10  | 2    | 5   | ScaleDownLimit
          down, percent                 |       | 50%/60 | | | 1 | 1000 | 10 | 5    | 5   | DesiredWithinRange
          after changes, to the maximum | 300/60 |      | 1 5 9 | | 1 | 200 | 100 | 500 | 200 | TooManyReplicas
          after changes, percent        | 10000%/60 |   | 1 5 9 | | 1 | 200 | 100 | 500 | 200 | TooManyReplicas
          after too many changes        | 5/120 |       | 1 5 9 | | 1 | 1000 | 100 | 500 | 100 | ScaleUpLimit
          after changes, pods           | 150/120 |     | 1 5 9 | | 1 | 1000 | 100 | 500 | 235 | ScaleUpLimit
          after changes, 200 %          | 200%/120 |    | 1 5 9 | | 1 | 1000 | 100 | 500 | 255 | ScaleUpLimit
          after both changes            | 300%/300 |    | 4 | 2 | 1 | 1000 | 6 | 24 | 16 | ScaleUpLimit
          down after changes            |       |       | | 1 5 9 | 1 | 1000 | 10 | 5 | 5 | DesiredWithinRange
          down after changes, minimum   |       | 115/120 | | 1 5 9 | 1 | 1000 | 100 | 0 | 1 | TooFewReplicas
          down after changes, higher    |       | 130/120 | | 1 5 9 | 5 | 1000 | 100 | 0 | 5 | TooFewReplicas
          down after changes, all       |       | 100%/120 | | 1 5 9 | 5 | 1000 | 100 | 2 | 5 | TooFewReplicas
          down after too many changes   |       | 5/120 | | 1 5 9 | 1 | 1000 | 100 | 2 | 100 | ScaleDownLimit
          down after changes, half      |       | 50%/120 | | 2 4 6 | 1 | 1000 | 100 | 0 | 56 | ScaleDownLimit
          down after both changes       |       | 50%/180 | 2 | 4 | 1 | 1000 | 10 | 1 | 6 | ScaleDownLimit
          down after far too many       |       | 10%/120 | | 10 10 10 | 1 | 1000 | 100 | 0 | 100 | ScaleDownLimit
          down below nothing            |       | 1000%/120 | | 10 10 10 | 1 | 1000 | 10 | 5 | 5 | DesiredWithinRange
          """)
  void byPolicies(
      String name,
      @Nullable String up,
      @Nullable String down,
      @Nullable String added,
      @Nullable String removed,
      int min,
      int max,
      int current,
      int desired,
      int replicas,
      String reason) {
    changes(added, 1);
    changes(removed, -1);

    Limited limited =
        new ReplicaLimits(min, max)
            .within(
                current,
                desired,
                history,
                rules(up, /* up= */ true, Select.MAX),
                rules(down, /* up= */ false, Select.MAX));

    assertThat(limited.replicas()).as(name).isEqualTo(replicas);
    assertThat(limited.why().reason()).isEqualTo(reason);
  }

  @Test
  void smallestPolicy_isTheSmallestChange() {
    assertThat(rules("2/60 50%/60", /* up= */ true, Select.MIN).highest(1, history)).isEqualTo(2);
    assertThat(rules("2/60 50%/60", /* up= */ false, Select.MIN).lowest(5, history)).isEqualTo(3);
    assertThat(rules("2/60", /* up= */ true, Select.DISABLED).highest(5, history)).isEqualTo(5);
    assertThat(rules("2/60", /* up= */ false, Select.DISABLED).lowest(5, history)).isEqualTo(5);
  }

  /** Recommendations as {@code REPLICAS/SECONDS} before now. */
  private void recommendations(@Nullable String text) {
    if (text != null) {
      for (String each : text.split(" ", -1)) {
        String[] parts = each.split("/", -1);
        history.recommended(Integer.parseInt(parts[0]), NOW.minusSeconds(Long.parseLong(parts[1])));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                            | 3 | 3
          4/120 5/60        | 3 | 5
          1/120 2/60        | 3 | 3
          10/600 9/540      | 3 | 3
          10/600 4/60 5/120 9/540 | 3 | 5
          """)
  void highestRecommendation_ofTheWindow(@Nullable String before, int replicas, int expected) {
    recommendations(before);

    assertThat(history.highest(replicas, Duration.ofMinutes(5))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing before       |                  | 100 | 5   | 0   | 0   | 5
          down                 | 4/120 5/60       | 100 | 3   | 0   | 180 | 5
          up                   | 4/120 5/60       | 1   | 7   | 300 | 0   | 4
          down, no window      | 1/120 2/60       | 100 | 3   | 300 | 0   | 3
          up, no window        | 4/120 5/60       | 1   | 3   | 0   | 300 | 3
          down, too old        | 10/600 9/540     | 100 | 3   | 0   | 0   | 3
          up, too old          | 10/600 9/540     | 1   | 100 | 0   | 0   | 100
          down, some too old   | 10/600 4/60 5/120 9/540 | 100 | 3 | 0 | 180 | 5
          up, some too old     | 10/6000 6/60 5/120 9/180 | 1 | 100 | 300 | 0 | 5
          not up while falling | 2/6000 3/180     | 2   | 1   | 300 | 300 | 2
          not down while rising | 2/6000 1/180    | 2   | 3   | 300 | 300 | 2
          """)
  void recommendations_ofBothWindows(
      String name,
      @Nullable String before,
      int current,
      int replicas,
      int up,
      int down,
      int expected) {
    recommendations(before);

    assertThat(history.between(current, replicas, Duration.ofSeconds(up), Duration.ofSeconds(down)))
        .as(name)
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                         | 0
          7/61           | 0
          7/58           | 7
          7/61 6/59      | 6
          8/29 6/59 7/61 9/61 | 14
          7/58 6/59      | 13
          """)
  void changes_countWithinTheirPeriod(@Nullable String before, int changed) {
    if (before != null) {
      for (String each : before.split(" ", -1)) {
        String[] parts = each.split("/", -1);
        history.changed(Integer.parseInt(parts[0]), NOW.minusSeconds(Long.parseLong(parts[1])));
      }
    }

    assertThat(history.replicasBefore(100, Duration.ofMinutes(1))).isEqualTo(100 - changed);
    ScalingRules rules = rules("10/60 100%/30", /* up= */ true, Select.MAX);
    history.scaled(100, 105, rules.longestPeriod(), rules.longestPeriod());
    assertThat(history.replicasBefore(105, Duration.ofMinutes(1))).isEqualTo(100 - changed);
  }
}
