package dev.keelson.controller.endpoint;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.ControllerLoop.Reconciler;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import java.time.Duration;
import java.util.List;

/**
 * Reconciles Services, when they or the pods that they select change; changes within a moment are
 * reconciled together.
 */
final class ServiceLoop implements QueueOwner, AutoCloseable {

  /** As kube-controller-manager ({@code --concurrent-service-endpoint-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(100);

  /** During which changes of pods gather. */
  private static final Duration MOMENT = Duration.ofMillis(50);

  private final Informer<ServiceFacts> services;
  private final Informer<EndpointPod> pods;
  private final WorkQueue<ObjectName> queue;
  private final ControllerLoop workers;

  /** Reconciles one Service. */
  @FunctionalInterface
  interface Step {

    /** Returns RETRY if something is missing that will come. */
    Outcome reconcile(ObjectName service) throws InterruptedException;
  }

  /**
   * Not yet started.
   *
   * @param name of the threads and of the queue
   */
  ServiceLoop(String name, Informer<ServiceFacts> services, Informer<EndpointPod> pods, Step step) {
    this.services = services;
    this.pods = pods;
    Reconciler<ObjectName> reconciler =
        service -> {
          try {
            return step.reconcile(service);
          } catch (ApiException e) {
            if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
              // somebody else has written it
              return Outcome.RETRY;
            }
            if (e.reason() == Reason.FORBIDDEN && e.text().contains("is being terminated")) {
              return Outcome.DONE;
            }
            throw e;
          }
        };
    this.queue = new WorkQueue<>(name, FIRST_PAUSE, LONGEST_PAUSE);
    this.workers = ControllerLoop.workers(name, WORKERS, queue, reconciler);
  }

  void start() throws InterruptedException {
    services.listen(new ServiceChanges());
    pods.listen(new PodChanges());
    services.awaitSync();
    pods.awaitSync();
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

  /** The pods that a Service selects. */
  List<EndpointPod> podsOf(ServiceFacts service) {
    return pods.list(service.name().namespace()).stream()
        .filter(pod -> service.selects(pod.labels()))
        .toList();
  }

  void later(ObjectName service) {
    queue.addAfter(service, MOMENT);
  }

  /** Queues all Services. */
  void all() {
    services.list().forEach(service -> later(service.name()));
  }

  private final class ServiceChanges implements ObjectListener<ServiceFacts> {

    @Override
    public void added(ObjectName name, ServiceFacts service) {
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, ServiceFacts before, ServiceFacts after) {
      if (!before.equals(after)) {
        queue.add(name);
      }
    }

    @Override
    public void deleted(ObjectName name, ServiceFacts last) {
      queue.add(name);
    }
  }

  private final class PodChanges implements ObjectListener<EndpointPod> {

    @Override
    public void added(ObjectName name, EndpointPod pod) {
      for (ServiceFacts service : services.list(name.namespace())) {
        if (service.selects(pod.labels())) {
          later(service.name());
        }
      }
    }

    @Override
    public void updated(ObjectName name, EndpointPod before, EndpointPod after) {
      if (!before.equals(after)) {
        added(name, after);
        if (!before.labels().equals(after.labels())) {
          added(name, before);
        }
      }
    }

    @Override
    public void deleted(ObjectName name, EndpointPod last) {
      added(name, last);
    }
  }
}
