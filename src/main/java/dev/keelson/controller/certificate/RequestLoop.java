package dev.keelson.controller.certificate;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Passes CertificateSigningRequests to a handler, which gets the stored state (source: {@code
 * pkg/controller/certificates/certificate_controller.go}). The informer keeps no request, so one
 * that is of interest is read again.
 */
final class RequestLoop implements QueueOwner, AutoCloseable {

  /** As kube-controller-manager ({@code --concurrent-...}: five for each of these controllers). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final Informer<RequestFacts> requests;
  private final Predicate<RequestFacts> wanted;
  private final Handler handler;
  private final WorkQueue<String> queue =
      new WorkQueue<>("certificate", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers;

  /** Handles one request. */
  @FunctionalInterface
  interface Handler {
    /** Returns RETRY to see the request again later. */
    Outcome handle(ApiObject request) throws InterruptedException;
  }

  /**
   * Not yet started.
   *
   * @param wanted the requests that the handler gets
   */
  RequestLoop(
      String name,
      ApiClient client,
      Informer<RequestFacts> requests,
      Predicate<RequestFacts> wanted,
      Handler handler) {
    this.client = client;
    this.requests = requests;
    this.wanted = wanted;
    this.handler = handler;
    this.workers = ControllerLoop.workers(name, WORKERS, queue, this::reconcile);
  }

  void start() throws InterruptedException {
    requests.listen(new Changes());
    requests.awaitSync();
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

  private Outcome reconcile(String name) throws InterruptedException {
    ApiObject request = client.get(RequestFacts.RESOURCE, "", name).orElse(null);
    if (request == null || !wanted.test(RequestFacts.of(request))) {
      return Outcome.DONE;
    }
    try {
      return handler.handle(request);
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        // changed meanwhile: the stored state decides
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  /** The same request with one more condition. */
  static ApiObject withCondition(ApiObject request, MapNode condition) {
    MapNode status = request.root().map("status");
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    conditions.add(condition);
    return request.with("status", status.with("conditions", new Node.Items(conditions)));
  }

  private final class Changes implements ObjectListener<RequestFacts> {

    @Override
    public void added(ObjectName name, RequestFacts request) {
      if (wanted.test(request)) {
        queue.add(name.name());
      }
    }

    @Override
    public void updated(ObjectName name, RequestFacts before, RequestFacts after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, RequestFacts last) {
      // nothing to do
    }
  }
}
