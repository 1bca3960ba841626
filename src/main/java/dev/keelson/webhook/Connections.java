package dev.keelson.webhook;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The connections to one webhook server: HTTP/1.1, as in kube-apiserver, so that concurrent calls
 * spread over the endpoints behind one address. Safe for use by several threads.
 */
final class Connections {

  private static final int MAX_CALLS = 64;
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final HttpClient client;
  private final Semaphore calls = new Semaphore(MAX_CALLS);
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private int users;

  /** Guarded by the lock. */
  private boolean retired;

  /**
   * @param serverName the name in the server's certificate; empty for the host of the URL
   */
  Connections(SSLContext tls, String serverName, Executor executor) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(tls)
            .connectTimeout(CONNECT)
            .executor(executor)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (!serverName.isEmpty()) {
      SSLParameters parameters = tls.getDefaultSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(serverName)));
      builder.sslParameters(parameters);
    }
    this.client = builder.build();
  }

  /** Registers a user; false if the connections are retired. */
  boolean acquire() {
    lock.lock();
    try {
      if (retired) {
        return false;
      }
      users++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a use that {@link #acquire} began. */
  void release() {
    lock.lock();
    try {
      users--;
      closeIfUnused();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connections when nobody uses them any more. */
  void retire() {
    lock.lock();
    try {
      retired = true;
      closeIfUnused();
    } finally {
      lock.unlock();
    }
  }

  private void closeIfUnused() {
    if (retired && users == 0) {
      client.shutdownNow();
    }
  }

  /** Waits for one of the parallel calls that the server may get; false on timeout. */
  boolean enter(Duration timeout) throws InterruptedException {
    return calls.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends a call that {@link #enter} began. */
  void leave() {
    calls.release();
  }

  HttpClient client() {
    return client;
  }
}
