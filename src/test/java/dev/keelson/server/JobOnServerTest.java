package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.JOBS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static dev.keelson.server.WorkloadFixture.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Job controller, and the deletion of finished Jobs, on a server. */
@Timeout(120)
class JobOnServerTest {

  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String FINALIZER = "batch.kubernetes.io/job-tracking";

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private ApiObject create(String spec) throws InterruptedException {
    return fixture.create(
        JOBS,
        "Job",
        "{'metadata':{'name':'task','namespace':'default'},'spec':{"
            + spec
            + "'template':{'metadata':{'labels':{'app':'task'}},'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'main','image':'busybox'}]}}}}");
  }

  private MapNode status() {
    return fixture.status(JOBS, "task");
  }

  /** The pods that have not ended. */
  private List<ApiObject> running() {
    return fixture.pods("task").stream()
        .filter(
            pod ->
                !pod.meta().deleting()
                    && Set.of("", "Pending", "Running")
                        .contains(pod.root().map("status").text("phase")))
        .toList();
  }

  private void awaitRunning(int count) {
    Eventually.assertEventually(() -> assertThat(running()).hasSize(count));
  }

  private void end(ApiObject pod, String phase, int code) throws InterruptedException {
    end(pod, phase, code, Instant.parse("2026-01-01T00:00:00Z"));
  }

  private void end(ApiObject pod, String phase, int code, Instant finished)
      throws InterruptedException {
    fixture.patch(
        PODS,
        pod.meta().name(),
        "status",
        ("{'status':{'phase':'%s','containerStatuses':[{'name':'main','image':'busybox','ready':false,"
                + "'imageID':'','restartCount':0,'state':{'terminated':{'exitCode':%d,"
                + "'finishedAt':'%s'}}}]}}")
            .formatted(phase, code, finished.truncatedTo(ChronoUnit.SECONDS)));
  }

  private static String index(ApiObject pod) {
    return pod.meta().annotations().getOrDefault(INDEX, "none");
  }

  private ApiObject ofIndex(String index) {
    List<ApiObject> found = running().stream().filter(pod -> index(pod).equals(index)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private List<String> conditions() {
    return status().maps("conditions").stream()
        .map(
            condition ->
                condition.text("type")
                    + "="
                    + condition.text("status")
                    + " "
                    + condition.text("reason")
                    + ": "
                    + condition.text("message"))
        .toList();
  }

  private static String met(String type) {
    return type + "=True CompletionsReached: Reached expected number of succeeded pods";
  }

  private void awaitConditions(String... conditions) {
    Eventually.assertEventually(() -> assertThat(conditions()).containsExactly(conditions));
  }

  private void awaitEvent(String type, String reason, String message) {
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=" + reason))
                .anySatisfy(
                    event -> {
                      assertThat(event.root().text("type")).isEqualTo(type);
                      assertThat(event.root().text("message")).isEqualTo(message);
                      assertThat(event.root().map("source").text("component"))
                          .isEqualTo("job-controller");
                    }));
  }

  @Test
  void completions_areCountedExactlyAndCompleteTheJob() throws Exception {
    ApiObject job = create("'completions':3,'parallelism':2,");
    awaitRunning(2);
    assertThat(running())
        .allSatisfy(
            pod -> {
              assertThat(pod.meta().finalizers()).containsExactly(FINALIZER);
              assertThat(pod.meta().node().maps("ownerReferences").getFirst().text("uid"))
                  .isEqualTo(job.meta().uid());
            });
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "active")).isEqualTo(2);
          assertThat(status().has("startTime")).isTrue();
          assertThat(status().get("ready")).isEqualTo(new Node.Int(0));
        });
    fixture.makeReady(running().getFirst().meta().name());
    Eventually.assertEventually(() -> assertThat(number(status(), "ready")).isEqualTo(1));

    for (ApiObject pod : running()) {
      end(pod, "Succeeded", 0);
    }
    awaitRunning(1);
    Eventually.assertEventually(() -> assertThat(number(status(), "succeeded")).isEqualTo(2));
    end(running().getFirst(), "Succeeded", 0);

    awaitConditions(met("SuccessCriteriaMet"), met("Complete"));
    assertThat(number(status(), "succeeded")).isEqualTo(3);
    assertThat(status().has("completionTime")).isTrue();
    assertThat(status().map("uncountedTerminatedPods").isEmpty()).isTrue();
    assertThat(number(status(), "active")).isZero();
    assertThat(fixture.pods("task")).hasSize(3).allMatch(pod -> pod.meta().finalizers().isEmpty());
    awaitEvent("Normal", "Completed", "Job completed");
  }

  @Test
  void failures_areRetriedUpToTheLimit() throws Exception {
    ApiObject unused = create("'backoffLimit':1,");
    awaitRunning(1);
    end(running().getFirst(), "Failed", 1);
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "failed")).isEqualTo(1);
          assertThat(running()).hasSize(1);
        });

    end(running().getFirst(), "Failed", 1);

    String message = "BackoffLimitExceeded: Job has reached the specified backoff limit";
    awaitConditions("FailureTarget=True " + message, "Failed=True " + message);
    assertThat(number(status(), "failed")).isEqualTo(2);
    assertThat(status().has("completionTime")).isFalse();
    awaitEvent("Warning", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }

  /** The API server takes no status with more ready pods than active ones. */
  @Test
  void jobThatWaitsAfterAFailure_tellsWhichPodsAreActive(@TempDir Path other) throws Exception {
    fixture.close();
    fixture = new WorkloadFixture(other, WorkloadFixture.LONG_JOB_FAILURE_DELAY);
    ApiObject unused = create("'parallelism':2,'completions':2,");
    awaitRunning(2);
    fixture.makeReady(running().getFirst().meta().name());
    Eventually.assertEventually(() -> assertThat(number(status(), "ready")).isEqualTo(1));

    end(running().getLast(), "Failed", 1, Instant.now());

    Eventually.assertEventually(() -> assertThat(number(status(), "failed")).isEqualTo(1));
    assertThat(number(status(), "active")).isEqualTo(1);
    assertThat(number(status(), "ready")).isEqualTo(1);
    assertThat(running()).hasSize(1);
  }

  @Test
  void indexedJob_completesEachIndexOnce() throws Exception {
    ApiObject unused = create("'completions':3,'parallelism':3,'completionMode':'Indexed',");
    awaitRunning(3);
    ApiObject first = ofIndex("0");
    assertThat(first.meta().name()).startsWith("task-0-");
    assertThat(first.meta().labels()).containsEntry(INDEX, "0");
    assertThat(first.root().map("spec").text("hostname")).isEqualTo("task-0");
    assertThat(first.root().map("spec").maps("containers").getFirst().maps("env"))
        .singleElement()
        .satisfies(env -> assertThat(env.text("name")).isEqualTo("JOB_COMPLETION_INDEX"));

    end(ofIndex("0"), "Succeeded", 0);
    end(ofIndex("2"), "Succeeded", 0);
    Eventually.assertEventually(
        () -> assertThat(status().text("completedIndexes")).isEqualTo("0,2"));
    end(ofIndex("1"), "Failed", 1);
    awaitRunning(1);
    assertThat(index(running().getFirst())).isEqualTo("1");
    end(running().getFirst(), "Succeeded", 0);

    awaitConditions(met("SuccessCriteriaMet"), met("Complete"));
    assertThat(status().text("completedIndexes")).isEqualTo("0-2");
    assertThat(number(status(), "succeeded")).isEqualTo(3);
    assertThat(number(status(), "failed")).isEqualTo(1);
  }

  @Test
  void backoffLimitPerIndex_failsIndexesAndCountsInAnnotations() throws Exception {
    ApiObject unused =
        create(
            "'completions':2,'parallelism':2,'completionMode':'Indexed','backoffLimitPerIndex':1,");
    awaitRunning(2);
    assertThat(ofIndex("0").meta().annotations())
        .containsEntry("batch.kubernetes.io/job-index-failure-count", "0");
    String firstName = ofIndex("0").meta().name();
    end(ofIndex("0"), "Failed", 1);
    Eventually.assertEventually(
        () ->
            assertThat(ofIndex("0").meta().annotations())
                .containsEntry("batch.kubernetes.io/job-index-failure-count", "1"));
    assertThat(ofIndex("0").meta().name()).isNotEqualTo(firstName);
    end(ofIndex("0"), "Failed", 1);
    Eventually.assertEventually(() -> assertThat(status().text("failedIndexes")).isEqualTo("0"));
    assertThat(running()).hasSize(1);
    end(ofIndex("1"), "Succeeded", 0);

    awaitConditions(
        "FailureTarget=True FailedIndexes: Job has failed indexes",
        "Failed=True FailedIndexes: Job has failed indexes");
    assertThat(status().text("completedIndexes")).isEqualTo("1");
    assertThat(number(status(), "failed")).isEqualTo(2);
  }

  @Test
  void podFailurePolicy_ignoresOrFailsTheJob() throws Exception {
    ApiObject unused =
        create(
            "'backoffLimit':0,'parallelism':2,'completions':2,'podFailurePolicy':{'rules':["
                + "{'action':'Ignore','onExitCodes':{'operator':'In','values':[7]}},"
                + "{'action':'FailJob','onExitCodes':{'containerName':'main','operator':'In',"
                + "'values':[42]}}]},");
    awaitRunning(2);
    Set<String> before = new HashSet<>();
    running().forEach(pod -> before.add(pod.meta().name()));
    end(running().getFirst(), "Failed", 7);
    Eventually.assertEventually(
        () -> {
          assertThat(running()).hasSize(2);
          assertThat(running()).anyMatch(pod -> !before.contains(pod.meta().name()));
        });
    assertThat(number(status(), "failed")).isZero();

    ApiObject fatal = running().getFirst();
    end(fatal, "Failed", 42);

    String message =
        "PodFailurePolicy: Container main for pod default/"
            + fatal.meta().name()
            + " failed with exit code 42 matching FailJob rule at index 1";
    awaitConditions("FailureTarget=True " + message, "Failed=True " + message);
    assertThat(running()).isEmpty();
  }

  @Test
  void successPolicy_endsTheJobWithPodsLeft() throws Exception {
    ApiObject unused =
        create(
            "'completions':3,'parallelism':3,'completionMode':'Indexed',"
                + "'successPolicy':{'rules':[{'succeededIndexes':'1-2','succeededCount':1}]},");
    awaitRunning(3);

    end(ofIndex("2"), "Succeeded", 0);

    awaitConditions(
        "SuccessCriteriaMet=True SuccessPolicy: Matched rules at index 0",
        "Complete=True SuccessPolicy: Matched rules at index 0");
    assertThat(running()).isEmpty();
    assertThat(number(status(), "succeeded")).isEqualTo(1);
    assertThat(number(status(), "failed")).isZero();
  }

  @Test
  void suspendedJob_losesItsPodsAndResumes() throws Exception {
    ApiObject unused = create("'parallelism':2,'suspend':true,");
    awaitConditions("Suspended=True JobSuspended: Job suspended");
    assertThat(running()).isEmpty();
    assertThat(status().has("startTime")).isFalse();
    awaitEvent("Normal", "Suspended", "Job suspended");

    fixture.patch(JOBS, "task", "", "{'spec':{'suspend':false}}");
    awaitRunning(2);
    awaitConditions("Suspended=False JobResumed: Job resumed");
    assertThat(status().has("startTime")).isTrue();

    fixture.patch(JOBS, "task", "", "{'spec':{'suspend':true}}");
    awaitConditions("Suspended=True JobSuspended: Job suspended");
    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("task")).isEmpty();
          assertThat(number(status(), "active")).isZero();
          assertThat(number(status(), "failed")).isZero();
        });
    assertThat(status().has("startTime")).isFalse();
  }

  /** A finished Job must have a time at which it started. */
  @Test
  void suspendedJob_canFail() throws Exception {
    ApiObject unused = create("'backoffLimit':6,");
    awaitRunning(1);
    end(running().getFirst(), "Failed", 1);
    Eventually.assertEventually(() -> assertThat(number(status(), "failed")).isEqualTo(1));
    fixture.patch(JOBS, "task", "", "{'spec':{'suspend':true}}");
    awaitConditions("Suspended=True JobSuspended: Job suspended");

    fixture.patch(JOBS, "task", "", "{'spec':{'backoffLimit':0}}");

    String why = "=True BackoffLimitExceeded: Job has reached the specified backoff limit";
    Eventually.assertEventually(
        () -> assertThat(conditions()).contains("FailureTarget" + why, "Failed" + why));
    assertThat(status().has("startTime")).isTrue();
  }

  @Test
  void activeDeadline_failsTheJob() throws Exception {
    ApiObject unused = create("'activeDeadlineSeconds':1,");

    String message = "DeadlineExceeded: Job was active longer than specified deadline";
    awaitConditions("FailureTarget=True " + message, "Failed=True " + message);
    assertThat(running()).isEmpty();
    awaitEvent("Warning", "DeadlineExceeded", "Job was active longer than specified deadline");
  }

  @Test
  void deletedJob_leavesNoFinalizers() throws Exception {
    ApiObject unused = create("'parallelism':2,'completions':2,");
    awaitRunning(2);

    fixture.user.delete(JOBS, "default", "task", new DeleteRequest("", "", Dependents.BACKGROUND));

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.list(JOBS, "", "")).isEmpty();
          assertThat(fixture.pods("task")).isEmpty();
        });
  }

  @Test
  void finishedJob_isDeletedAfterItsTime() throws Exception {
    ApiObject unused = create("'ttlSecondsAfterFinished':0,");
    awaitRunning(1);

    end(running().getFirst(), "Succeeded", 0);

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.list(JOBS, "", "")).isEmpty();
          assertThat(fixture.pods("task")).isEmpty();
        });
  }
}
