package dev.keelson.registry.subresource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ManagedFieldsText;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Evictions, by the rows of kube-apiserver's own tables (eviction_test.go). */
class PodEvictionTest extends RegistryTest {

  private static final String VIOLATION =
      "TooManyRequests Cannot evict pod as it would violate the pod's disruption budget.: The"
          + " disruption budget b ";
  private static final String IN_PROCESS =
      VIOLATION + "is still being processed by the server. retry after 10";
  private static final String EVICTED = "evicted";
  private static final Map<String, String> POLICIES =
      Map.of("N", "", "H", "IfHealthyBudget", "A", "AlwaysAllow");

  private final Collection pods;
  private final PodEviction eviction;

  /** What happens while the eviction looks at the time: between its checks and its writes. */
  private Runnable meanwhile = () -> {};

  PodEvictionTest(@TempDir Path directory) {
    super(directory);
    pods = api.collection("v1", "pods", "default");
    InstantSource clock =
        () -> {
          meanwhile.run();
          return api.clock().instant();
        };
    eviction = new PodEviction(api.registry(), api.catalog(), clock);
  }

  /**
   * A row of the table.
   *
   * @param policies those it applies to: of None, IfHealthyBudget and AlwaysAllow the first letters
   * @param ready the status of the condition Ready, empty if there is none
   * @param budget disruptionsAllowed, currentHealthy and desiredHealthy, and more of its status
   * @param meanwhile what happens to the pod while it is evicted: of each time a word
   */
  private record Row(
      String policies,
      String phase,
      String ready,
      String budget,
      String meanwhile,
      String expected) {}

  static Stream<Arguments> rows() {
    String synced = ",'conditions':[{'type':'DisruptionAllowed','status':'False',";
    List<Row> rows =
        List.of(
            new Row("NHA", "Pending", "", "0/0/0", "touched", EVICTED),
            new Row(
                "NH",
                "Pending",
                "",
                "0/0/0",
                "Running",
                VIOLATION + "needs 0 healthy pods and has 0 currently"),
            new Row("A", "Pending", "", "0/0/0", "Running touched", IN_PROCESS),
            new Row("NHA", "Pending", "", "1/0/0", "Running", EVICTED),
            new Row("NHA", "Pending", "", "0/1/2", "", EVICTED),
            new Row("NHA", "Succeeded", "", "0/1/2", "", EVICTED),
            new Row("NHA", "Failed", "", "0/1/2", "", EVICTED),
            new Row(
                "NHA",
                "Running",
                "True",
                "0/2/2",
                "",
                VIOLATION + "needs 2 healthy pods and has 2 currently"),
            new Row("NHA", "Running", "True", "1/3/3", "", EVICTED),
            new Row("NHA", "Running", "False", "0/2/2", "", EVICTED),
            new Row("A", "Running", "False", "0/0/0", "", EVICTED),
            new Row("A", "Running", "", "0/1/2", "", EVICTED),
            new Row(
                "NH",
                "Running",
                "False",
                "0/0/0",
                "",
                VIOLATION + "needs 0 healthy pods and has 0 currently"),
            new Row("NHA", "Running", "False", "0/2/2", "touched", IN_PROCESS),
            new Row("NHA", "Running", "False", "0/2/2", "deleted", "NotFound pods \"p\" not found"),
            new Row(
                "NHA",
                "Running",
                "True",
                "0/0/0" + synced + "'reason':'SyncFailed','message':'hoge'}]",
                "",
                VIOLATION + "does not allow evicting pods currently because it failed sync: hoge"),
            new Row(
                "NHA",
                "Running",
                "True",
                "0/4/3" + synced + "'reason':'bar-reason','message':'hoge'}]",
                "",
                VIOLATION + "does not allow evicting pods currently (bar-reason): hoge"),
            new Row(
                "NHA",
                "Running",
                "True",
                "0/4/3" + synced + "'reason':'bar-reason','message':''}]",
                "",
                VIOLATION + "does not allow evicting pods currently"),
            new Row(
                "NHA",
                "Running",
                "True",
                "0/3/3" + synced + "'reason':'bar-reason','message':'hoge'}]",
                "",
                VIOLATION + "needs 3 healthy pods and has 3 currently"),
            new Row("NHA", "Running", "True", "1/2/1,'observedGeneration':0", "", IN_PROCESS));
    return rows.stream()
        .flatMap(
            row ->
                row.policies()
                    .chars()
                    .mapToObj(policy -> Arguments.of(row, Character.toString(policy))));
  }

  @ParameterizedTest(name = "{1} {0}")
  @MethodSource("rows")
  void evictionTable(Row row, String policy) {
    ApiObject created = pod("p");
    String ready =
        row.ready().isEmpty()
            ? ""
            : ",'conditions':[{'type':'Ready','status':'" + row.ready() + "'}]";
    status("v1", "pods", created, "{'phase':'" + row.phase() + "'" + ready + "}");
    budget("b", POLICIES.getOrDefault(policy, ""), row.budget());
    List<String> events = new ArrayList<>(List.of(row.meanwhile().split(" ")));
    meanwhile =
        () -> {
          if (!events.isEmpty()) {
            happen(events.removeFirst());
          }
        };

    assertThat(outcome(DeleteQuery.UNCONDITIONAL)).isEqualTo(row.expected());
    assertThat(exists()).isEqualTo(keeps(row));
  }

  private static boolean keeps(Row row) {
    return !row.expected().equals(EVICTED) && !row.meanwhile().equals("deleted");
  }

  private void happen(String event) {
    switch (event) {
      case "" -> {}
      case "deleted" ->
          assertThat(
                  api.registry()
                      .delete(
                          pods, "p", new DeleteQuery(null, null, 0L, null), WriteOptions.PERSIST)
                      .gone())
              .isTrue();
      default -> {
        ApiObject pod = api.get("v1", "pods", "default", "p");
        MapNode now =
            event.equals("touched")
                ? pod.root().map("status").with("message", Node.text(pod.meta().resourceVersion()))
                : pod.root().map("status").with("phase", Node.text(event));
        assertThat(
                api.registry()
                    .replaceStatus(pods, "p", pod.with("status", now), WriteOptions.PERSIST)
                    .revision())
            .isPositive();
      }
    }
  }

  @Test
  void podThatAlwaysChanges_isAConflict() {
    ApiObject created = pod("p");
    status("v1", "pods", created, "{'phase':'Pending'}");
    List<String> attempts = new ArrayList<>();
    meanwhile =
        () -> {
          attempts.add("");
          happen("touched");
        };

    assertThat(outcome(DeleteQuery.UNCONDITIONAL))
        .startsWith(
            "Conflict Operation cannot be fulfilled on Pod \"p\": the ResourceVersion in the"
                + " precondition (")
        .endsWith("). The object might have been modified");
    assertThat(attempts).hasSize(20);
  }

  @Test
  void terminatingPod_isDeletedWithoutItsBudget() {
    ApiObject created =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p','finalizers':['x.org/f']},'spec':{"
                + "'containers':[{'name':'c','image':'i'}]}}");
    status("v1", "pods", created, "{'phase':'Running'}");
    budget("b", "", "0/1/2");
    happenDeleted();

    assertThat(outcome(DeleteQuery.UNCONDITIONAL)).isEqualTo(EVICTED);
    assertThat(allowed("b")).isZero();
  }

  private void happenDeleted() {
    assertThat(
            api.registry()
                .delete(pods, "p", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST)
                .gone())
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, False, InsufficientPods",
    "3, 2, True, SufficientPods",
  })
  void evictionPdbStatus(int before, int after, String status, String reason) {
    ready("p");
    budget(
        "b",
        "",
        before
            + "/3/1,'conditions':[{'type':'DisruptionAllowed','status':'True',"
            + "'reason':'SufficientPods','message':'','lastTransitionTime':'2026-01-01T00:00:00Z'},"
            + "{'type':'Other','status':'True','reason':'R','message':'',"
            + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]");

    evict(WriteOptions.DRY_RUN);
    assertThat(allowed("b")).isEqualTo(before);
    assertThat(exists()).isTrue();
    evict(WriteOptions.PERSIST);

    MapNode budget =
        api.get("policy/v1", "poddisruptionbudgets", "default", "b").root().map("status");
    assertThat(allowed("b")).isEqualTo(after);
    assertThat(budget.map("disruptedPods").keys()).containsExactly("p");
    assertThat(budget.maps("conditions"))
        .extracting(each -> each.text("status") + " " + each.text("reason"))
        .containsExactly(status + " " + reason, "True R");
  }

  @ParameterizedTest
  @CsvSource({"true, true", "false, true", "true, false"})
  void negativeOrOverfullBudget_isForbidden(boolean negative, boolean unready) {
    ready("p");
    if (unready) {
      ApiObject pod = api.get("v1", "pods", "default", "p");
      status("v1", "pods", pod, "{'phase':'Running'}");
    }
    StringBuilder disrupted = new StringBuilder();
    for (int i = 0; i < 2001 && !negative; i++) {
      disrupted.append(i == 0 ? "" : ",").append("'p").append(i).append("':'2026-01-01T00:00:00Z'");
    }
    budget("b", "", (negative ? -1 : 1) + "/1/2,'disruptedPods':{" + disrupted + "}");

    assertThat(outcome(DeleteQuery.UNCONDITIONAL))
        .isEqualTo(
            "Forbidden poddisruptionbudget.policy \"b\" is forbidden: "
                + (negative
                    ? "pdb disruptions allowed is negative"
                    : "DisruptedPods map too big - too many evictions not confirmed by PDB"
                        + " controller"));
  }

  @Test
  void twoBudgets_areNotSupported() {
    ready("p");
    budget("b", "", "1/2/1");
    budget("c", "", "1/2/1");

    ApiException refusal = refusal(Reason.UNKNOWN, () -> evict(WriteOptions.PERSIST));

    assertThat(refusal)
        .hasMessage(
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                + " not support.");
    assertThat(refusal.details().causes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "       |         | evicted",
        "own    |         | evicted",
        "other  |         | the UID in the precondition (other) does not match the UID in record",
        "       | own     | evicted",
        "       | other   | the ResourceVersion in the precondition (other) does not match the",
      })
  void addConditionAndDelete(String uid, String version, String expected) {
    ready("p");
    budget("b", "", "3/4/1");
    ApiObject pod = api.get("v1", "pods", "default", "p");
    DeleteQuery query =
        new DeleteQuery(
            "own".equals(uid) ? pod.meta().uid() : uid,
            "own".equals(version) ? pod.meta().resourceVersion() : version);

    assertThat(outcome(query)).contains(expected);

    // a budget is counted down for each eviction that it allows, once
    assertThat(allowed("b")).isEqualTo(2);
    assertThat(exists()).isEqualTo(!expected.equals(EVICTED));
    if (exists()) {
      assertThat(LocalApi.json(api.get("v1", "pods", "default", "p").root().map("status")))
          .doesNotContain("DisruptionTarget");
    }
  }

  @Test
  void missingPod_isNotFound() {
    assertThat(outcome(DeleteQuery.UNCONDITIONAL)).isEqualTo("NotFound pods \"p\" not found");
  }

  @Test
  void podOfOtherLabels_isOutsideTheBudget() {
    ready("p");
    ApiObject created =
        api.create(
            "policy/v1",
            "poddisruptionbudgets",
            "default",
            "{'metadata':{'name':'b'},'spec':{'selector':{'matchLabels':{'b':'true'}}}}");
    status("policy/v1", "poddisruptionbudgets", created, counts("0/0/0"));

    assertThat(outcome(DeleteQuery.UNCONDITIONAL)).isEqualTo(EVICTED);
  }

  @Test
  void evictedPod_saysWhy_untilItsNodeHasEndedIt() {
    ApiObject created =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
    status("v1", "pods", created, "{'phase':'Running'}");

    evict(WriteOptions.DRY_RUN);
    assertThat(api.get("v1", "pods", "default", "p").meta().deleting()).isFalse();
    evict(WriteOptions.PERSIST);

    ApiObject evicted = api.get("v1", "pods", "default", "p");
    assertThat(evicted.meta().deleting()).isTrue();
    assertThat(LocalApi.json(evicted.root().map("status")))
        .contains("'type':'DisruptionTarget'", "'reason':'EvictionByEvictionAPI'");
    assertThat(ManagedFieldsText.of(evicted))
        .noneMatch(entry -> entry.contains("DisruptionTarget"));
  }

  private ApiObject pod(String name) {
    return api.create(
        "v1",
        "pods",
        "default",
        "{'metadata':{'name':'"
            + name
            + "','labels':{'a':'true'}},'spec':{'terminationGracePeriodSeconds':0,"
            + "'containers':[{'name':'c','image':'i'}]}}");
  }

  private void ready(String name) {
    ApiObject created = pod(name);
    status(
        "v1",
        "pods",
        created,
        "{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}");
  }

  private void budget(String name, String policy, String counts) {
    ApiObject created =
        api.create(
            "policy/v1",
            "poddisruptionbudgets",
            "default",
            "{'metadata':{'name':'"
                + name
                + "'},'spec':{'minAvailable':1,'selector':{}"
                + (policy.isEmpty() ? "" : ",'unhealthyPodEvictionPolicy':'" + policy + "'")
                + "}}");
    status("policy/v1", "poddisruptionbudgets", created, counts(counts));
  }

  /** {@code allowed/current/desired}, and more fields. */
  private static String counts(String counts) {
    int comma = counts.indexOf(',');
    String numbers = comma < 0 ? counts : counts.substring(0, comma);
    String more = comma < 0 ? "" : counts.substring(comma);
    String[] each = numbers.split("/");
    return "{'disruptionsAllowed':"
        + each[0]
        + ",'currentHealthy':"
        + each[1]
        + ",'desiredHealthy':"
        + each[2]
        + ",'expectedPods':4"
        + (more.contains("observedGeneration") ? "" : ",'observedGeneration':1")
        + more
        + "}";
  }

  private void status(String version, String resource, ApiObject object, String status) {
    ApiObject wanted =
        object.with(
            "status",
            api.object(version, resource, "{'status':" + status + "}").root().map("status"));
    StoredObject stored =
        api.registry()
            .replaceStatus(
                api.collection(version, resource, "default"),
                object.meta().name(),
                wanted,
                WriteOptions.PERSIST);
    assertThat(stored.revision()).isPositive();
  }

  private long allowed(String name) {
    Node allowed =
        api.get("policy/v1", "poddisruptionbudgets", "default", name)
            .root()
            .map("status")
            .get("disruptionsAllowed");
    return allowed instanceof Node.Int number ? number.value() : -1;
  }

  private boolean exists() {
    return !api.registry().list(pods, ListQuery.ALL, ListPage.WHOLE).all().isEmpty();
  }

  private void evict(WriteOptions options) {
    eviction.evict(pods, "p", DeleteQuery.UNCONDITIONAL, options);
  }

  private String outcome(DeleteQuery query) {
    try {
      eviction.evict(pods, "p", query, WriteOptions.PERSIST);
      return EVICTED;
    } catch (ApiException e) {
      int retry = e.details().retryAfterSeconds();
      return e.reason().word()
          + " "
          + e.text()
          + e.details().causes().stream()
              .map(FieldCause::message)
              .map(": "::concat)
              .findFirst()
              .orElse("")
          + (retry > 0 ? " retry after " + retry : "");
    }
  }
}
