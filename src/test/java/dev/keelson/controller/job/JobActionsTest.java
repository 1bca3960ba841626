package dev.keelson.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.job.JobActions.Deleted;
import dev.keelson.controller.workload.Expectations;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.UnansweredWrites;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Surplus pods of a Job against a server where they change. */
final class JobActionsTest {

  private static final ObjectName NAME = new ObjectName("default", "task");

  /** The methods and paths that the server has answered. */
  private final List<String> requests = new ArrayList<>();

  private final List<ApiException> failures = new ArrayList<>();
  private final Expectations expectations = new Expectations(System::nanoTime);

  /** A server on which every pod has the resourceVersion 8. */
  private final ApiClient client =
      new ApiClient(
          new ApiTransport() {
            @Override
            public synchronized Answer send(Request request) {
              String sent = new String(request.body(), StandardCharsets.UTF_8);
              requests.add(request.method());
              return request.method().equals("PATCH") && !sent.contains("\"resourceVersion\":\"8\"")
                  ? answer(409, "{\"kind\":\"Status\",\"reason\":\"Conflict\"}")
                  : answer(200, "{\"kind\":\"Pod\"}");
            }

            private Answer answer(int status, String body) {
              return new Answer(status, body.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public Answer send(Request request, TimeLimit limit) {
              return send(request);
            }

            @Override
            public EventStream watch(Request request) {
              throw new UnsupportedOperationException();
            }
          });

  private Deleted delete(String version) throws InterruptedException {
    EventRecorder events =
        new EventRecorder(client, JobController.NAME, InstantSource.system(), System::nanoTime);
    JobActions actions =
        new JobActions(
            client,
            new PodControl(client, events),
            expectations,
            new FinalizerRemovals(),
            new UnansweredWrites(client, Informer.of(client, PodFacts.TYPE)));
    PodFacts facts =
        PodFacts.of(
            new ApiObject(
                CustomTypes.tree(
                    ("{'metadata':{'name':'p','namespace':'default','uid':'u','resourceVersion':'%s',"
                            + "'finalizers':['batch.kubernetes.io/job-tracking']},"
                            + "'status':{'phase':'Running'}}")
                        .formatted(version))));
    Job job =
        new Job(
            new ApiObject(
                CustomTypes.tree("{'metadata':{'name':'task','namespace':'default','uid':'j'}}")));
    return actions.delete(
        job, List.of(new OwnPod(facts, Objects.requireNonNull(facts.job()))), failures);
  }

  @Test
  void surplusPod_losesItsFinalizerAndIsDeleted() throws Exception {
    assertThat(delete("8").pods()).isOne();

    assertThat(requests).containsExactly("PATCH", "DELETE");
    assertThat(expectations.satisfied(NAME)).isFalse();
  }

  @Test
  void surplusPodThatHasChanged_staysSinceItMayHaveSucceeded() throws Exception {
    assertThat(delete("7").pods()).isZero();

    assertThat(requests).containsExactly("PATCH");
    assertThat(failures).isEmpty();
    assertThat(expectations.satisfied(NAME)).isTrue();
  }
}
