package dev.keelson.controller.certificate;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Deletes requests that have been decided, or have waited, for long, and those whose certificate
 * has expired (source: {@code pkg/controller/certificates/cleaner}).
 */
public final class CleaningController implements Controller {

  private static final Logger LOG = Logger.getLogger(CleaningController.class);

  private static final Duration INTERVAL = Duration.ofHours(1);
  private static final Duration DECIDED = Duration.ofHours(1);
  private static final Duration PENDING = Duration.ofHours(24);

  private final ApiClient client;
  private final Informer<RequestFacts> requests;
  private final InstantSource clock;
  private final ControllerLoop loop = ControllerLoop.every("csrcleaner", INTERVAL, this::clean);

  /** Not yet started. */
  public CleaningController(ControllerContext context) {
    client = context.client(ApprovingController.ACCOUNT);
    requests = context.informers().of(RequestFacts.TYPE);
    clock = context.clock();
  }

  @Override
  public void start() throws InterruptedException {
    requests.awaitSync();
    loop.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void clean() throws InterruptedException {
    Instant now = clock.instant();
    for (RequestFacts request : requests.list()) {
      if (isOver(request, now)) {
        LOG.debugf("event=csr-cleaned name=%s", request.name());
        delete(request.name());
      }
    }
  }

  private void delete(String name) throws InterruptedException {
    boolean unused =
        client.deleteIfPresent(
            RequestFacts.RESOURCE,
            "",
            name,
            new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));
  }

  /** Whether a request is to be deleted. */
  static boolean isOver(RequestFacts request, Instant now) {
    if (request.conditions().isEmpty()) {
      return isOlder(request.created(), PENDING, now);
    }
    Instant expires = request.expires();
    for (RequestFacts.Condition condition : request.conditions()) {
      boolean over =
          switch (condition.type()) {
            case "Approved" ->
                request.issued()
                    && (isOlder(condition.updated(), DECIDED, now)
                        || (expires != null && now.isAfter(expires)));
            case "Denied", "Failed" -> isOlder(condition.updated(), DECIDED, now);
            default -> false;
          };
      if (over) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOlder(Instant time, Duration age, Instant now) {
    return !time.equals(Instant.EPOCH) && time.plus(age).isBefore(now);
  }
}
