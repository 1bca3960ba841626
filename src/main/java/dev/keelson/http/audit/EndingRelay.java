package dev.keelson.http.audit;

import dev.keelson.http.Body;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The body of another server's response that reports its end. What it contains is not recorded, as
 * in kube-apiserver: the other server has its own audit.
 */
final class EndingRelay implements Body.Relayed {

  private final Body.Relayed body;
  private final BodyEnd end;
  private final AtomicBoolean begun = new AtomicBoolean();

  EndingRelay(Body.Relayed body, BodyEnd end) {
    this.body = body;
    this.end = end;
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    begun.set(true);
    try {
      body.writeTo(sink);
    } catch (RuntimeException | Error e) {
      end.broke(e);
      throw e;
    } finally {
      end.completed();
    }
  }

  @Override
  public void abandon() {
    body.abandon();
    if (begun.compareAndSet(false, true)) {
      end.completedOnLoop();
    }
  }
}
