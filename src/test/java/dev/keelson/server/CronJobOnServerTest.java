package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.CRON_JOBS;
import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.JOBS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The CronJob controller on a server. */
@Timeout(120)
class CronJobOnServerTest {

  private WorkloadFixture fixture;
  private int pass;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  /**
   * Creates a CronJob with a run each minute. The minute of the controller begins, so that no other
   * run becomes due while a test looks at one.
   */
  private ApiObject create(String spec) throws InterruptedException {
    ApiObject cronJob =
        fixture.create(
            CRON_JOBS,
            "CronJob",
            "{'metadata':{'name':'tick','namespace':'default'},'spec':{'schedule':'* * * * *',"
                + spec
                + "'jobTemplate':{'metadata':{'labels':{'made':'yes'}},'spec':{'template':{"
                + "'metadata':{'labels':{'app':'tick'}},'spec':{'restartPolicy':'Never',"
                + "'containers':[{'name':'main','image':'busybox'}]}}}}}}");
    Instant created = Instant.parse(cronJob.meta().creationTimestamp());
    Instant minute = created.truncatedTo(ChronoUnit.MINUTES).plusSeconds(1);
    fixture.ahead = Duration.between(Instant.now(), minute);
    return cronJob;
  }

  /** Lets time pass, and the controller look. */
  private void pass(Duration time) throws InterruptedException {
    fixture.ahead = fixture.ahead.plus(time);
    pass++;
    fixture.patch(
        CRON_JOBS, "tick", "", "{'metadata':{'annotations':{'pass':'%d'}}}".formatted(pass));
  }

  private MapNode status() {
    return fixture.status(CRON_JOBS, "tick");
  }

  private List<ApiObject> jobs() {
    return fixture.list(JOBS, "made=yes", "");
  }

  private List<String> active() {
    return status().maps("active").stream().map(job -> job.text("name")).toList();
  }

  private void awaitActive(int count) {
    Eventually.assertEventually(() -> assertThat(active()).hasSize(count));
  }

  private void awaitEvent(String reason, String message) {
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=" + reason))
                .anySatisfy(
                    event -> {
                      assertThat(event.root().text("message")).startsWith(message);
                      assertThat(event.root().map("source").text("component"))
                          .isEqualTo("cronjob-controller");
                    }));
  }

  private void finishJobs(String phase) {
    Eventually.assertEventually(() -> assertThat(fixture.pods("tick")).isNotEmpty());
    for (ApiObject pod : fixture.pods("tick")) {
      try {
        fixture.patch(
            PODS, pod.meta().name(), "status", "{'status':{'phase':'%s'}}".formatted(phase));
      } catch (ApiException e) {
        // a pod of an earlier Job may go with it in the meantime
        if (e.reason() != Reason.NOT_FOUND) {
          throw e;
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void dueRun_createsTheJobOfItsTime() throws Exception {
    ApiObject cronJob = create("");
    pass(Duration.ofSeconds(61));
    awaitActive(1);

    ApiObject job = jobs().getFirst();
    Instant time = Instant.parse(status().text("lastScheduleTime"));
    assertThat(job.meta().name()).isEqualTo("tick-" + time.getEpochSecond() / 60);
    assertThat(job.meta().annotations())
        .containsEntry("batch.kubernetes.io/cronjob-scheduled-timestamp", time.toString());
    assertThat(job.meta().node().maps("ownerReferences").getFirst().text("uid"))
        .isEqualTo(cronJob.meta().uid());
    assertThat(active()).containsExactly(job.meta().name());
    awaitEvent("SuccessfulCreate", "Created job " + job.meta().name());

    finishJobs("Succeeded");
    awaitActive(0);
    // told with the end of the Job, by one write
    assertThat(status().text("lastSuccessfulTime")).isNotEmpty();
    awaitEvent(
        "SawCompletedJob", "Saw completed job: " + job.meta().name() + ", condition: Complete");
  }

  @Test
  void forbid_startsNothingWhileAJobRuns() throws Exception {
    ApiObject unused = create("'concurrencyPolicy':'Forbid',");
    pass(Duration.ofSeconds(61));
    awaitActive(1);

    pass(Duration.ofSeconds(61));

    awaitEvent("JobAlreadyActive", "Not starting job because prior execution is running");
    assertThat(jobs()).hasSize(1);
  }

  @Test
  void replace_endsTheRunningJob() throws Exception {
    ApiObject unused = create("'concurrencyPolicy':'Replace',");
    pass(Duration.ofSeconds(61));
    awaitActive(1);
    String first = active().getFirst();

    pass(Duration.ofSeconds(61));

    Eventually.assertEventually(
        () -> {
          assertThat(active()).hasSize(1).doesNotContain(first);
          assertThat(jobs())
              .extracting(job -> job.meta().name())
              .containsExactlyElementsOf(active());
        });
    awaitEvent("SuccessfulDelete", "Deleted job " + first);
  }

  @Test
  void allow_runsSideBySideAndReportsMissingJobs() throws Exception {
    ApiObject unused = create("");
    pass(Duration.ofSeconds(61));
    awaitActive(1);
    pass(Duration.ofSeconds(61));
    awaitActive(2);
    String first = active().getFirst();

    fixture.user.delete(JOBS, "default", first, new DeleteRequest("", "", Dependents.BACKGROUND));

    awaitActive(1);
    awaitEvent("MissingJob", "Active job went missing: " + first);
  }

  @Test
  void lateRun_isMissedBehindItsDeadline() throws Exception {
    ApiObject unused = create("'startingDeadlineSeconds':3600,'suspend':true,");
    pass(Duration.ofHours(3));
    assertThat(jobs()).isEmpty();

    fixture.patch(CRON_JOBS, "tick", "", "{'spec':{'suspend':false}}");
    awaitActive(1);
    assertThat(fixture.list(EVENTS, "", "reason=TooManyMissedTimes")).isEmpty();
  }

  @Test
  void manyMissedRuns_areOneRunAndAWarning() throws Exception {
    ApiObject unused = create("");
    pass(Duration.ofHours(3));

    awaitActive(1);
    awaitEvent("TooManyMissedTimes", "too many missed start times.");
  }

  @Test
  void newSchedule_doesNotRunForTimesThatHavePassed() throws Exception {
    ApiObject unused = create("'suspend':true,");
    pass(Duration.ofMinutes(10));

    fixture.patch(CRON_JOBS, "tick", "", "{'spec':{'schedule':'@yearly','suspend':false}}");
    fixture.patch(CRON_JOBS, "tick", "", "{'spec':{'schedule':'*/5 * * * *'}}");
    ApiObject second =
        fixture.create(
            CRON_JOBS,
            "CronJob",
            "{'metadata':{'name':'other','namespace':'default'},'spec':{'schedule':'* * * * *',"
                + "'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':'Never',"
                + "'containers':[{'name':'main','image':'busybox'}]}}}}}}");

    assertThat(second.meta().name()).isEqualTo("other");
    Eventually.assertEventually(
        () -> assertThat(fixture.status(CRON_JOBS, "other").maps("active")).hasSize(1));
    assertThat(jobs()).isEmpty();
  }

  @Test
  void finishedJobs_areKeptUpToTheLimits() throws Exception {
    ApiObject unused = create("'successfulJobsHistoryLimit':1,'failedJobsHistoryLimit':0,");
    for (int i = 0; i < 2; i++) {
      pass(Duration.ofSeconds(61));
      awaitActive(1);
      Eventually.assertEventually(
          () -> {
            finishJobs("Succeeded");
            assertThat(active()).isEmpty();
          });
    }

    Eventually.assertEventually(
        () -> {
          assertThat(jobs()).hasSize(1);
          assertThat(fixture.pods("tick")).hasSize(1);
        });
    awaitEvent("SuccessfulDelete", "Deleted job tick-");
  }
}
