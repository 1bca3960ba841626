package dev.keelson.http;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;

/** Sends a streamed body from the request's thread, which waits while the client is behind. */
final class StreamedResponse implements Body.Sink {

  private static final Logger LOG = Logger.getLogger(StreamedResponse.class);

  private final HttpServerResponse response;
  private final Context context;

  StreamedResponse(HttpServerResponse response, Context context) {
    this.response = response;
    this.context = context;
  }

  /**
   * Sends the whole; a failure on the way closes the connection, so that the client knows that
   * something is missing.
   */
  void send(Answer answer, Body.Streamed body) {
    try {
      onLoop(
          done -> {
            ApiHandler.writeHead(response, answer);
            response.setChunked(true);
            done.complete(null);
          });
      body.writeTo(this);
      context.runOnContext(
          onLoop -> response.end().onFailure(gone -> LOG.debugf("client went away: %s", gone)));
    } catch (Body.ClientGoneException e) {
      LOG.debugf("client went away while its answer was sent");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      breakOff();
    } catch (RuntimeException e) {
      LOG.warnf(e, "event=answer-broken-off");
      breakOff();
    }
  }

  private void breakOff() {
    context.runOnContext(onLoop -> response.reset());
  }

  @Override
  public void write(Payload part) throws InterruptedException {
    Buffer chunk = Buffer.buffer(part.toByteArray());
    onLoop(
        done -> {
          if (response.closed()) {
            done.completeExceptionally(new Body.ClientGoneException());
            return;
          }
          response.write(chunk).onFailure(done::completeExceptionally);
          if (response.writeQueueFull()) {
            response.drainHandler(drained -> done.complete(null));
            response.exceptionHandler(done::completeExceptionally);
          } else {
            done.complete(null);
          }
        });
  }

  private interface Step {
    void run(CompletableFuture<Void> done);
  }

  /**
   * Runs a step on the event loop and waits for what it completes; any failure of the connection
   * means that the client has gone.
   */
  private void onLoop(Step step) throws InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    response.closeHandler(gone -> done.completeExceptionally(new Body.ClientGoneException()));
    context.runOnContext(onLoop -> step.run(done));
    try {
      done.get();
    } catch (ExecutionException e) {
      LOG.debugf("the connection failed: %s", e.getCause());
      throw new Body.ClientGoneException();
    }
  }
}
