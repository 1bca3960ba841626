package dev.keelson.controller.ttlafterfinished;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.workload.JobFacts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Deletes Jobs with {@code ttlSecondsAfterFinished} when that time has passed since their end
 * (source: Kubernetes' {@code pkg/controller/ttlafterfinished}).
 */
public final class TtlAfterFinishedController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "ttl-after-finished-controller";

  /** As kube-controller-manager ({@code --concurrent-ttl-after-finished-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final Informer<JobFacts> jobs;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("ttl_jobs_to_delete", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("ttl-after-finished", WORKERS, queue, this::reconcile);

  /**
   * Not yet started.
   *
   * @param jobs shared with other controllers; followed by the caller
   */
  public TtlAfterFinishedController(
      ApiClient client, Informer<JobFacts> jobs, InstantSource clock) {
    this.client = client;
    this.jobs = jobs;
    this.clock = clock;
  }

  @Override
  public void start() throws InterruptedException {
    jobs.listen(new JobChanges());
    jobs.awaitSync();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    JobFacts known = jobs.get(name).orElse(null);
    if (known == null || !hasExpired(known)) {
      return Outcome.DONE;
    }
    // the time may have been changed since
    JobFacts fresh =
        client.get(JobFacts.RESOURCE, name.namespace(), name.name()).map(JobFacts::of).orElse(null);
    if (fresh != null && hasExpired(fresh)) {
      delete(fresh);
    }
    return Outcome.DONE;
  }

  private void delete(JobFacts job) throws InterruptedException {
    boolean unused =
        client.deleteIfPresent(
            JobFacts.RESOURCE,
            job.name().namespace(),
            job.name().name(),
            new DeleteRequest(job.uid(), "", Dependents.FOREGROUND));
  }

  /** Whether the time of a Job has passed; if it has not, looks again when it will have. */
  private boolean hasExpired(JobFacts job) {
    Integer seconds = job.ttl();
    if (seconds == null || !job.isFinished() || job.deleting()) {
      return false;
    }
    Duration left =
        Duration.between(clock.instant(), job.finishedAt().plus(Duration.ofSeconds(seconds)));
    if (!left.isPositive()) {
      return true;
    }
    queue.addAfter(job.name(), left);
    return false;
  }

  private final class JobChanges implements ObjectListener<JobFacts> {

    @Override
    public void added(ObjectName name, JobFacts job) {
      if (job.ttl() != null && job.isFinished() && !job.deleting()) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, JobFacts before, JobFacts after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, JobFacts last) {
      // nothing to do
    }
  }
}
