package dev.keelson.http.audit;

import dev.keelson.http.Body;

/**
 * The body of another server's response that reports its end. What it contains is not recorded, as
 * in kube-apiserver: the other server has its own audit.
 *
 * @param ended runs when the body has been written, or writing it failed
 */
record AuditedRelay(Body.Relayed body, Runnable ended) implements Body.Relayed {

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    try {
      body.writeTo(sink);
    } finally {
      ended.run();
    }
  }

  @Override
  public void abandon() {
    body.abandon();
  }
}
