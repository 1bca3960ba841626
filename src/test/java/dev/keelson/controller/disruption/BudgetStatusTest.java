package dev.keelson.controller.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.disruption.BudgetStatus.Wanted;
import dev.keelson.controller.workload.SelectorText;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(20)
class BudgetStatusTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'minAvailable':3}           | 1  | 1  | 3  | false",
        "{'minAvailable':0}           | 5  | 5  | 0  | false",
        "{'minAvailable':'28%'}       | 10 | 10 | 3  | true",
        "{'minAvailable':'100%'}      | 7  | 7  | 7  | true",
        "{'maxUnavailable':1}         | 5  | 5  | 4  | true",
        "{'maxUnavailable':9}         | 5  | 5  | 0  | true",
        "{'maxUnavailable':'28%'}     | 10 | 10 | 7  | true",
        "{'maxUnavailable':'0%'}      | 10 | 10 | 10 | true",
        "{}                           | 10 | 0  | 0  | false",
      })
  void wanted_isANumberOrAShareRoundedUp(
      String spec, int pods, int expected, int desired, boolean needsScale) {
    MapNode tree = CustomTypes.tree(spec);

    assertThat(BudgetStatus.wanted(tree, pods)).isEqualTo(new Wanted(expected, desired));
    assertThat(BudgetStatus.needsScale(tree)).isEqualTo(needsScale);
  }

  private static ApiObject budget(String status) {
    return new ApiObject(
        CustomTypes.tree("{'metadata':{'name':'b','generation':2},'status':" + status + "}"));
  }

  @Test
  void enoughPods_allowDisruptions() {
    MapNode status =
        BudgetStatus.of(
            budget("{}"), new Wanted(5, 3), 5, Map.of("p", "2026-01-01T00:00:00Z"), NOW);

    assertThat(status)
        .isEqualTo(
            CustomTypes.tree(
                "{'observedGeneration':2,'disruptedPods':{'p':'2026-01-01T00:00:00Z'},"
                    + "'disruptionsAllowed':2,'currentHealthy':5,'desiredHealthy':3,"
                    + "'expectedPods':5,'conditions':[{'type':'DisruptionAllowed','status':'True',"
                    + "'observedGeneration':2,'lastTransitionTime':'2026-01-01T00:00:00Z',"
                    + "'reason':'SufficientPods','message':''}]}"));
    assertThat(BudgetStatus.same(status, status)).isTrue();
  }

  @Test
  void budgetWithoutPods_allowsNothing() {
    MapNode status = BudgetStatus.of(budget("{}"), new Wanted(0, 0), 0, Map.of(), NOW);

    assertThat(status.maps("conditions").getFirst().text("reason")).isEqualTo("InsufficientPods");
    assertThat(BudgetStatus.same(status, MapNode.EMPTY)).isFalse();
  }

  @Test
  void failure_allowsNothingAndKeepsTheCountsAndTheTimeOfTheTransition() {
    MapNode status =
        BudgetStatus.failed(
            budget(
                "{'observedGeneration':1,'disruptionsAllowed':1,'currentHealthy':2,"
                    + "'conditions':[{'type':'Other'},{'type':'DisruptionAllowed','status':'False',"
                    + "'observedGeneration':1,'lastTransitionTime':'2025-01-01T00:00:00Z',"
                    + "'reason':'InsufficientPods','message':''}]}"),
            "found no controllers for pod \"p\"",
            NOW);

    assertThat(status)
        .isEqualTo(
            CustomTypes.tree(
                "{'observedGeneration':1,'disruptionsAllowed':0,'currentHealthy':2,"
                    + "'conditions':[{'type':'Other'},{'type':'DisruptionAllowed','status':'False',"
                    + "'observedGeneration':1,'lastTransitionTime':'2025-01-01T00:00:00Z','reason':'SyncFailed','message':'found"
                    + " no controllers for pod \\\"p\\\"'}]}"));
  }

  @Test
  void selector_isWrittenAsKubernetesDoes() {
    assertThat(
            SelectorText.of(
                CustomTypes.tree(
                    "{'matchLabels':{'b':'2','a':'1'},'matchExpressions':[{'key':'k',"
                        + "'operator':'In','values':['x','y']}]}")))
        .isEqualTo(
            "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},"
                + "MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,"
                + "Operator:In,Values:[x y],},},}");
  }
}
