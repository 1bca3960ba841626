package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.DEPLOYMENTS;
import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static dev.keelson.server.WorkloadFixture.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.controller.disruption.DisruptionController;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The controller of PodDisruptionBudgets on a server. */
@Timeout(120)
class DisruptionOnServerTest {

  private static final GroupVersionResource BUDGETS =
      new GroupVersion("policy", "v1").resource("poddisruptionbudgets");

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
    fixture.run(context -> new DisruptionController(context, Duration.ofSeconds(2)));
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void budget(String spec) throws InterruptedException {
    ApiObject unused =
        fixture.create(
            BUDGETS,
            "PodDisruptionBudget",
            "{'metadata':{'name':'b','namespace':'default'},'spec':{'selector':{'matchLabels':"
                + "{'app':'web'}},"
                + spec
                + "}}");
  }

  private void deployment(int replicas) throws InterruptedException {
    ApiObject unused =
        fixture.create(
            DEPLOYMENTS,
            "Deployment",
            ("{'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':%d,"
                    + "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':"
                    + "{'app':'web'}},'spec':{'containers':[{'name':'main','image':'nginx'}]}}}}")
                .formatted(replicas));
  }

  private void pod(String name, String owner) throws InterruptedException {
    ApiObject unused =
        fixture.create(
            PODS,
            "Pod",
            ("{'metadata':{'name':'%s','namespace':'default','labels':{'app':'web'}%s},"
                    + "'spec':{'containers':[{'name':'main','image':'nginx'}]}}")
                .formatted(name, owner));
  }

  private void expect(int expected, int desired, int healthy, int allowed, String reason) {
    Eventually.assertEventually(
        () -> {
          MapNode status = fixture.status(BUDGETS, "b");
          assertThat(number(status, "observedGeneration")).isEqualTo(1);
          assertThat(number(status, "expectedPods")).isEqualTo(expected);
          assertThat(number(status, "desiredHealthy")).isEqualTo(desired);
          assertThat(number(status, "currentHealthy")).isEqualTo(healthy);
          assertThat(number(status, "disruptionsAllowed")).isEqualTo(allowed);
          assertThat(status.maps("conditions"))
              .singleElement()
              .satisfies(condition -> assertThat(condition.text("reason")).isEqualTo(reason));
        });
  }

  @Test
  void budgetOfADeployment_countsItsReplicasAndAllowsAnEvictionAtATime() throws Exception {
    fixture.readyIf(pod -> true);
    budget("'maxUnavailable':'25%'");
    expect(0, 0, 0, 0, "InsufficientPods");
    deployment(4);
    expect(4, 3, 4, 1, "SufficientPods");
    fixture.readyIf(pod -> false);
    String victim = fixture.pods("web").getFirst().meta().name();

    fixture.evict(victim);

    expect(4, 3, 3, 0, "InsufficientPods");
    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).noneMatch(pod -> pod.meta().name().equals(victim));
          assertThat(fixture.status(BUDGETS, "b").map("disruptedPods").isEmpty()).isTrue();
        });
    assertThat(fixture.list(EVENTS, "", "reason=NoPods")).isNotEmpty();
  }

  @Test
  void podThatIsNotDeleted_countsAgainAndLosesItsMark() throws Exception {
    pod("p", "");
    fixture.makeReady("p");
    budget("'minAvailable':1");
    expect(1, 1, 1, 0, "InsufficientPods");
    fixture.patch(
        PODS,
        "p",
        "status",
        "{'status':{'conditions':[{'type':'Ready','status':'True','lastTransitionTime':"
            + "'2026-01-01T00:00:00Z'},{'type':'DisruptionTarget','status':'True','reason':"
            + "'EvictionByEvictionAPI','message':'m','lastTransitionTime':"
            + "'2026-01-01T00:00:00Z'}]}}");
    fixture.patch(
        BUDGETS,
        "b",
        "status",
        "{'status':{'disruptedPods':{'p':'2026-01-01T00:00:00Z','q':'2026-01-01T00:00:00Z'}}}");

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.status(BUDGETS, "b").map("disruptedPods").isEmpty()).isTrue();
          assertThat(fixture.list(EVENTS, "", "reason=NotDeleted"))
              .singleElement()
              .satisfies(
                  event ->
                      assertThat(event.root().text("message"))
                          .isEqualTo(
                              "Pod was expected by PDB default/default to be deleted but it"
                                  + " wasn't"));
          assertThat(fixture.status(PODS, "p").maps("conditions"))
              .filteredOn(condition -> condition.text("type").equals("DisruptionTarget"))
              .singleElement()
              .satisfies(
                  condition -> {
                    assertThat(condition.text("status")).isEqualTo("False");
                    assertThat(condition.has("reason")).isFalse();
                    assertThat(condition.has("message")).isFalse();
                    assertThat(condition.get("observedGeneration")).isEqualTo(new Node.Int(1));
                  });
        });
    expect(1, 1, 1, 0, "InsufficientPods");
  }

  @Test
  void podsWithoutScale_areTold() throws Exception {
    pod("alone", "");
    budget("'maxUnavailable':1");
    expect(0, 0, 0, 0, "InsufficientPods");
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=UnmanagedPods"))
                .first()
                .satisfies(
                    event ->
                        assertThat(event.root().text("message"))
                            .startsWith(
                                "Pods selected by this PodDisruptionBudget (selector:"
                                    + " &LabelSelector{MatchLabels:map[string]string{app: web,},"
                                    + "MatchExpressions:[]LabelSelectorRequirement{},}) were")));

    ApiObject map =
        fixture.create(
            GroupVersion.CORE_V1.resource("configmaps"),
            "ConfigMap",
            "{'metadata':{'name':'c','namespace':'default'}}");
    pod(
        "owned",
        ",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'c','uid':'%s',"
                .formatted(map.meta().uid())
            + "'controller':true}]");

    Eventually.assertEventually(
        () ->
            assertThat(fixture.status(BUDGETS, "b").maps("conditions"))
                .singleElement()
                .satisfies(
                    condition -> {
                      assertThat(condition.text("status")).isEqualTo("False");
                      assertThat(condition.text("reason")).isEqualTo("SyncFailed");
                      assertThat(condition.text("message"))
                          .isEqualTo("configmaps does not implement the scale subresource");
                    }));
    assertThat(fixture.list(EVENTS, "", "reason=CalculateExpectedPodCountFailed")).isNotEmpty();
  }

  @Test
  void podOfAnotherKind_isCountedByTheScaleOfItsController() throws Exception {
    ApiObject other =
        fixture.create(
            DEPLOYMENTS,
            "Deployment",
            "{'metadata':{'name':'other','namespace':'default'},'spec':{'replicas':3,"
                + "'selector':{'matchLabels':{'app':'other'}},'template':{'metadata':{'labels':"
                + "{'app':'other'}},'spec':{'containers':[{'name':'main','image':'nginx'}]}}}}");
    pod(
        "owned",
        ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'other',"
            + "'uid':'%s','controller':true}]".formatted(other.meta().uid()));
    fixture.makeReady("owned");

    budget("'minAvailable':'30%'");

    expect(3, 1, 1, 0, "InsufficientPods");
  }
}
