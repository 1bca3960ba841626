package dev.keelson.controller.token;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Deletes bootstrap tokens that have expired (source: {@code
 * pkg/controller/bootstrap/tokencleaner.go}).
 */
public final class TokenCleaner implements Controller {

  private static final String ACCOUNT = "token-cleaner";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final Informer<BootstrapToken> tokens;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("token_cleaner", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop worker =
      ControllerLoop.workers("token-cleaner", 1, queue, this::clean);

  /** Not yet started. */
  public TokenCleaner(ControllerContext context) {
    client = context.client(ACCOUNT);
    tokens = context.informers().of(BootstrapToken.TYPE);
    clock = context.clock();
  }

  @Override
  public void start() throws InterruptedException {
    tokens.awaitSync();
    tokens.listen(NameListener.ofPresent(queue::add));
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    worker.close();
  }

  private Outcome clean(ObjectName name) throws InterruptedException {
    BootstrapToken token = tokens.get(name).orElse(null);
    Duration left = token == null ? null : token.left(clock.instant()).orElse(null);
    if (token == null || left == null) {
      return Outcome.DONE;
    }
    if (left.isPositive()) {
      queue.addAfter(name, left);
      return Outcome.DONE;
    }
    // another of that name is told by the informer
    boolean unused =
        client.deleteIfPresent(
            BootstrapToken.SECRETS,
            name.namespace(),
            name.name(),
            new DeleteRequest(token.uid(), "", DeleteRequest.Dependents.DEFAULT));
    return Outcome.DONE;
  }
}
